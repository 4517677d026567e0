import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Storage
import Testing

@testable import Authority

/// The office's disk has flipped a bit: whatever has become of the database is not signed.
@Suite("A damaged database") struct SoundnessTests {
    let fixture: RepositoryFixture
    var authority: Authority { fixture.authority }

    /// Somebody with a key, a card, a group and an end, somebody who is banned, and all of it published.
    init() throws {
        fixture = try RepositoryFixture()
        try fixture.scratch.write("rules.toml", Array("[people]\nuid-only-cards = true\nplaces = [\"tapstile:north\"]\ncommands = [\"tokn\", \"hold\"]\n".utf8))
        _ = try fixture.authority.applyRules(at: fixture.scratch.path("rules.toml"), now: now)
        let rights = Rights(audiences: ["tapstile:north/hall"], scope: ["tokn", "hold"], notBefore: now - 60, expiresAt: now + 600)
        let authority = fixture.authority
        _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "anna", rights: rights), now: now)
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", rights: Rights(audiences: ["tapstile:north"]), now: now)
        try fixture.scratch.write("list.csv", Array("subject,groups\ndora,staff\n".utf8))
        _ = try authority.importPeople(at: fixture.scratch.path("list.csv"), now: now)
        _ = try authority.ban(subject: "mallory", now: now)
        _ = try authority.revoke(.key(thumbprint: phoneKey().thumbprint), now: now)
        _ = try authority.makeGates(name: "main", now: now)
        try fixture.makeTogether()
    }

    private static func places(_ audiences: [CBOR], _ commands: [CBOR] = ["tokn", "hold"]) -> String {
        "x'\(Hex.encode(CBOR.array([.array(audiences), .array(commands)]).encoded))'"
    }

    /// What a flipped bit may leave, written as SQLite lets it: each column holds what it may hold, and nothing that was ever written.
    static let damages = [
        "enrolled SET places = \(places(["tapstile;north/hall"]))", "enrolled SET places = \(places([5]))",
        "enrolled SET places = \(places(["tapstile:north/hall"], ["tokn", 5]))", "enrolled SET places = \(places(["tapstile:north/hall"], []))",
        "enrolled SET places = \(places(["tapstile:north/hall"], ["tokn hold"]))", "enrolled SET places = x'00'",
        "enrolled SET subject = ''", "enrolled SET subject = CAST(x'ff6e6e61' AS TEXT)", "enrolled SET subject = CAST(x'616ecc81' AS TEXT)",
        "enrolled SET kid = x''", "enrolled SET use = 'sigo'", "enrolled SET use = 'agree', curve = 6", "enrolled SET curve = 5",
        "enrolled SET x = zeroblob(32)", "enrolled SET y = zeroblob(32)", "enrolled SET y = NULL", "enrolled SET thumbprint = zeroblob(32) WHERE subject = 'anna'",
        "enrolled SET user_verification = 3", "enrolled SET not_before = expires_at", "enrolled SET expires_at = -1",
        "plain_card SET places = \(places(["tapstile:north"]))", "plain_card SET places = \(places(["north"], ["tokn"]))", "plain_card SET subject = ''",
        "plain_card SET expires_at = 0", "revocation SET kind = 7", "revocation SET kind = 3, value = x'' WHERE kind = 3",
        "revocation SET value = x'00' WHERE kind = 4", "revocation SET issuer = 'x' WHERE kind = 3", "membership SET subject = ''",
        "membership SET member_of = CAST(x'ff' AS TEXT)", "ceiling SET places = \(places([5]))", "ceiling SET longest = 0", "ceiling SET plain_cards = 5",
        "gate_key SET claims = x'a0' WHERE use = 'sign'", "gate_key SET use = 'sigo' WHERE use = 'sign'", "rule SET record = x'8105'",
        "site_revocation SET kind = 9"
    ]

    @Test(arguments: damages)
    func whatWasNeverWrittenIsNotSigned(damage: String) throws {
        // One of each that a site of its own need not have.
        try authority.database.replaceRules(with: [.access(AccessRule(group: "staff"))])
        try authority.database.replaceSiteDecisions(with: [.subject("eve")], [])
        _ = try authority.publish(now: now + 1)
        try fixture.enrol("ben", nil, ["tapstile:north/hall"])
        let before = try fixture.scratch.bytes("repo/metadata/timestamp.json")
        try authority.database.connection.execute("UPDATE \(damage)")
        let isDamaged: (any Error) -> Bool = { ($0 as? AuthorityError)?.code == "database-corrupt" }
        // What is published already is read again where everybody is.
        try authority.database.connection.execute("UPDATE people_sum SET version = 0")
        #expect { try authority.publish(now: now + 2) } throws: { isDamaged($0) }
        #expect(try fixture.scratch.bytes("repo/metadata/timestamp.json") == before)
    }

    @Test func aKeyOfARoleThatNobodyMadeIsNotNamed() throws {
        try authority.database.connection.execute("UPDATE role_key SET x = zeroblob(32) WHERE role = 'people'")
        #expect { try authority.publish(now: now + 1) } throws: { ($0 as? AuthorityError)?.code == "database-corrupt" }
    }

    // In the file itself -------------------------------------------------------------------------------

    /// An office with one key of anna's and some tokens, closed; then `change` is done to its file.
    private static func damaged(_ change: (inout [UInt8], _ rootOfTokens: Int) throws -> Void) throws -> (ScratchFolder, Authority) {
        let scratch = try ScratchFolder()
        let root = try {
            let authority = try makeAuthority(in: scratch)
            _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "anna"), now: now)
            for number in 0..<20 {
                _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "p\(number)", rights: Rights(expiresAt: now + 60)), now: now)
            }
            return try authority.database.connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'token'")
        }()
        var bytes = try scratch.bytes("site/authority.db")
        try change(&bytes, Int(root))
        try scratch.write("site/authority.db", bytes)
        return (scratch, try Authority(openingFolder: scratch.path("site")))
    }

    /// One bit in the head of a row makes four letters a number of four bytes.
    @Test func aSubjectThatBecameANumberIsNotSigned() throws {
        // The columns of a row of `enrolled` from the thumbprint on, as SQLite's record format has their types.
        let head: [UInt8] = [0x4C, 0x1C, 0x15, 0x09, 0x4C, 0x4C, 0x15]
        let (scratch, authority) = try Self.damaged { bytes, _ in
            let place = try #require((0..<bytes.count - head.count).first { Array(bytes[$0..<$0 + head.count]) == head })
            bytes[place + head.count - 1] = 0x04
        }
        #expect { try RepositoryFixture(authority, in: scratch).published() } throws: { ($0 as? AuthorityError)?.code == "database-corrupt" }
        #expect { try authority.forEachEnrolled { _, _ in } } throws: { ($0 as? AuthorityError)?.code == "database-corrupt" }
    }

    /// Nobody reads the tokens to publish, and yet something is wrong with this disk.
    @Test func aDamagedPageThatNobodyReadsStopsASignature() throws {
        let (scratch, authority) = try Self.damaged { bytes, root in
            let page = bytes.count > 18 ? (Int(bytes[16]) << 8 | Int(bytes[17])) : 0
            for place in 0..<24 { bytes[(root - 1) * page + 8 + place] = 0xFF }
        }
        try authority.forEachEnrolled { _, _ in }
        var plan = RepositoryPlan(path: scratch.path("repo"))
        plan.isTogether = true
        #expect { try authority.makeRepository(plan, now: now) } throws: { ($0 as? AuthorityError)?.code == "database-corrupt" }
    }

    // By a hand, with values that are as good as those before ------------------------------------------

    /// An office with people, closed; then somebody who has the file and not this program changes it.
    private static func edited(_ statement: String) throws -> (ScratchFolder, Authority) {
        let scratch = try ScratchFolder()
        do {
            let authority = try makeAuthority(in: scratch)
            _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "anna", rights: Rights(expiresAt: now + 600)), now: now)
            _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", now: now)
            _ = try authority.issue(TokenRequest(key: phoneKey(), use: .sign, subject: "tom", rights: Rights(expiresAt: now + 60)), now: now)
            try scratch.write("list.csv", Array("subject,groups\ndora,staff\n".utf8))
            _ = try authority.importPeople(at: scratch.path("list.csv"), now: now)
            _ = try authority.ban(subject: "mallory", now: now)
        }
        do {
            let connection = try SQLiteConnection(path: scratch.path("site/authority.db"), access: .readWrite, cacheKibibytes: 64)
            try connection.execute(statement)
        }
        return (scratch, try Authority(openingFolder: scratch.path("site")))
    }

    static let hands = [
        ("UPDATE enrolled SET subject = 'eve'", "of 'eve'"), ("UPDATE enrolled SET expires_at = NULL", "of 'anna'"), ("UPDATE enrolled SET kid = x'00'", "of 'anna'"),
        ("UPDATE enrolled SET state_version = 0", "of 'anna'"), ("DELETE FROM enrolled", "enrolled"), ("UPDATE plain_card SET subject = 'eve'", "'eve'"),
        ("UPDATE plain_card SET uid = x'04010203040507'", "plain_card"), ("UPDATE membership SET member_of = 'night'", "membership"), ("DELETE FROM membership", "membership"),
        ("DELETE FROM revocation", "revocation"), ("UPDATE revocation SET kind = 5", "revocation"), ("UPDATE revocation SET state_version = 0", "the ban of 'mallory'"),
        ("INSERT INTO revocation VALUES (3, x'626F62', '', 5, 1)", "the ban of 'bob'"), ("UPDATE token SET subject = 'eve'", "of 'eve'"),
        ("DELETE FROM row_sum WHERE place = 'revocation'", "the ban of 'mallory'"), ("UPDATE row_sum SET mark = x'00'", "sum")
    ]

    @Test(arguments: hands)
    func whatAnotherHandChangedIsNotSignedAndIsNamed(statement: String, named: String) throws {
        let (scratch, authority) = try Self.edited(statement)
        var plan = RepositoryPlan(path: scratch.path("repo"))
        plan.isTogether = true
        #expect { try authority.makeRepository(plan, now: now) } throws: { error in
            guard let error = error as? AuthorityError else { return false }
            return error.code == "database-corrupt" && error.message.contains(named)
        }
    }

    @Test func whatCommandsChangeAndTakeBackIsSigned() throws {
        let (scratch, authority) = try Self.edited("SELECT 1")
        let key = try phoneKey()
        for subject in ["ben", "ben", "carl"] { _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: subject), now: now) }
        _ = try authority.suspend(subject: "carl", now: now)
        try authority.resume(subject: "carl")
        _ = try authority.lose(phonesOf: "carl", now: now)
        try authority.remove(card: [4, 1, 2, 3, 4, 5, 6])
        for members in ["\"anna\", \"dora\"", "\"ben\""] {
            let file = "[[group]]\nname = \"staff\"\nmembers = [\(members)]\n[[rule]]\ngroup = \"staff\"\nlanes = [\"elsewhere\"]\n"
            try scratch.write("rules.toml", Array(file.utf8))
            _ = try authority.applyRules(at: scratch.path("rules.toml"), now: now)
        }
        try scratch.write("good.csv", Array("subject,groups,uid,action\nanna,night,04010203040508,set\ndora,staff,,remove\n".utf8))
        _ = try authority.importPeople(at: scratch.path("good.csv"), isRehearsal: true, now: now)
        try authority.database.checkSoundness()
        _ = try authority.importPeople(at: scratch.path("good.csv"), now: now)
        try scratch.write("bad.csv", Array("subject,groups\neve,night\n,night\n".utf8))
        #expect(throws: AuthorityError.self) { try authority.importPeople(at: scratch.path("bad.csv"), now: now) }
        _ = try RepositoryFixture(authority, in: scratch).published()
    }
}
