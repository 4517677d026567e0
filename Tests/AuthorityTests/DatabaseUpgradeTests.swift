import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Storage
import Testing

@testable import Authority

/// A newer program finds the database of an older one: nothing of it is lost, and all of it is in the first state.
@Suite("The database of an older authority") struct DatabaseUpgradeTests {
    /// The last schema without states of people.
    private static let steps = 5

    private func makeOld(in scratch: ScratchFolder, _ rows: [String]) throws {
        _ = try makeAuthority(in: scratch)
        for name in try scratch.names("site") where name.hasPrefix("authority.db") { try scratch.remove("site/\(name)") }
        try scratch.write("site/authority.db", [])
        let connection = try SQLiteConnection(path: scratch.path("site/authority.db"), access: .readWrite, cacheKibibytes: 64)
        try DatabaseSchema(applicationIdentifier: AuthorityDatabase.schema.applicationIdentifier, name: "old",
                           steps: Array(AuthorityDatabase.schema.steps.prefix(Self.steps))).migrate(connection)
        for row in ["INSERT INTO site VALUES (1, 'north', 'north-issuer', 5, 'north-gates', 5)"] + rows { try connection.execute(row) }
    }

    @Test func everythingIsInTheFirstState() throws {
        let scratch = try ScratchFolder()
        let key = try phoneKey()
        let print = Hex.encode(key.thumbprint)
        try makeOld(in: scratch, [
            """
            INSERT INTO enrolled VALUES (x'\(print)', x'01', 'sign', 1, x'\(Hex.encode(key.x))', x'\(Hex.encode(key.y ?? []))', 'anna',
                x'828081646F70656E', NULL, 9, 7, 1)
            """,
            "INSERT INTO plain_card VALUES (x'04010203040506', 'ben', x'82808164746f6b6e', NULL, NULL, 8)",
            "INSERT INTO revocation VALUES (3, x'657665', '', 6)",
            "INSERT INTO membership VALUES ('staff', 'anna')"
        ])
        let authority = try Authority(openingFolder: scratch.path("site"))
        let enrolled = EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: "anna", scope: ["open"], expiresAt: 9, userVerification: true)
        let card = UIDOnlyCard(number: try UIDOnlyCardNumber([4, 1, 2, 3, 4, 5, 6]), subject: "ben")
        let member = Membership(group: "staff", subject: "anna")
        #expect(try authority.database.connection.integer("SELECT count(*) FROM row_sum") == 4, "of each row there is a sum from now on")
        try authority.database.checkSoundness()
        #expect(try authority.database.peopleVersion() == 0)
        var changes: Set<PeopleChange> = []
        try authority.database.forEachChange(since: 0) { changes.insert($0) }
        #expect(changes == [.put(.enrolled(enrolled)), .put(.uidOnlyCard(card)), .put(.revocation(.subject("eve"))), .put(.rule(.membership(member)))])
        var dates: [Int64] = []
        try authority.forEachEnrolled { _, at in dates.append(at) }
        #expect(dates == [7])
        #expect(try MembershipRows(authority.database).remove(member, by: .rules), "the rules had said it")
    }

    @Test func itIsTheSameSchemaAsThatOfANewOne() throws {
        let scratch = try ScratchFolder(), fresh = try ScratchFolder()
        try makeOld(in: scratch, [])
        func schema(_ authority: Authority) throws -> [String] {
            let rows = try authority.database.prepare("SELECT name || coalesce(sql, '') FROM sqlite_schema ORDER BY name")
            var schema = ["\(try authority.database.connection.integer("PRAGMA user_version"))"]
            while try rows.next() { schema.append(rows.text(0)) }
            return schema
        }
        #expect(try schema(Authority(openingFolder: scratch.path("site"))) == schema(makeAuthority(in: fresh)))
    }
}
