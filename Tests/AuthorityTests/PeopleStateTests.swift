import Credentials
import Cryptography
import SiteData
import SiteRules
import Storage
import Testing

@testable import Authority

/// What is published of people is a state that counts up: the database knows what each state does not have yet.
@Suite("States of people") struct PeopleStateTests {
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private func changes(since version: Int64) throws -> Set<PeopleChange> {
        var changes: Set<PeopleChange> = []
        try authority.database.forEachChange(since: version) { change in #expect(changes.insert(change).inserted) }
        return changes
    }

    /// As publishing does when all is written.
    private func publish() throws -> Int64 {
        try authority.database.connection.execute("UPDATE people_state SET version = version + 1")
        return try authority.database.peopleVersion()
    }

    private func enrol(_ key: PublicKey, _ subject: String) throws -> PeopleChange {
        .put(.enrolled(try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: subject), now: now).key))
    }

    private func apply(_ members: [String]) throws {
        try scratch.write("rules.toml", Array("[[group]]\nname = \"staff\"\nmembers-file = \"staff.txt\"\n[[rule]]\ngroup = \"staff\"".utf8))
        try scratch.write("staff.txt", Array(members.map { "\($0)\n" }.joined().utf8))
        _ = try authority.applyRules(at: scratch.path("rules.toml"), now: now)
    }

    private func member(_ subject: String) -> Membership { Membership(group: "staff", subject: subject) }

    @Test func theFirstStateHasEverything() throws {
        let key = try enrol(phoneKey(), "anna")
        let card = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "ben", now: now).card
        _ = try authority.revoke(.subject("carl"), now: now)
        try apply(["anna"])
        #expect(try changes(since: 0) == [
            key, .put(.uidOnlyCard(card)), .put(.revocation(.subject("carl"))), .put(.rule(.membership(member("anna"))))
        ])
        let version = try publish()
        #expect(try changes(since: version).isEmpty)
    }

    @Test func aStateHasWhatChangedSince() throws {
        let keys = [try phoneKey(), try phoneKey()]
        _ = try keys.map { try enrol($0, "anna") }
        let version = try publish()
        let changed = try enrol(keys[0], "anna maria")
        #expect(try changes(since: version) == [changed])
        let next = try publish()
        let new = try enrol(phoneKey(), "ben")
        #expect(try changes(since: next) == [new])
        #expect(try changes(since: version) == [changed, new])
    }

    /// A list that is imported every night and says the same every night costs nobody a byte.
    @Test func whatIsEnrolledTheSameWayAgainIsNoChange() throws {
        let key = try phoneKey()
        _ = try enrol(key, "anna")
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "ben", now: now)
        let version = try publish()
        _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: "anna"), now: now + 5)
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "ben", now: now + 5)
        #expect(try changes(since: version).isEmpty)
        var dates: [Int64] = []
        try authority.forEachEnrolled { _, at in dates.append(at) }
        try authority.forEachUIDOnlyCard { _, at in dates.append(at) }
        #expect(dates == [now + 5, now + 5], "its phone has been here")
    }

    @Test func whatIsTakenAwayIsGoneUntilItComesBack() throws {
        let number = try UIDOnlyCardNumber([4, 1, 2, 3, 4, 5, 6])
        let card = try authority.enrol(card: number.bytes, subject: "ben", now: now).card
        let version = try publish()
        try authority.remove(card: number.bytes)
        #expect(try changes(since: version) == [.gone(.card(number))])
        let next = try publish()
        #expect(try changes(since: next).isEmpty)
        _ = try authority.enrol(card: number.bytes, subject: "ben", now: now)
        #expect(try changes(since: next) == [.put(.uidOnlyCard(card))])
        #expect(try changes(since: version) == [.put(.uidOnlyCard(card))], "nobody is told both")
    }

    @Test func suspendedPeopleAreResumed() throws {
        let version = try publish()
        #expect(try authority.suspend(subject: "anna", now: now))
        #expect(try !authority.suspend(subject: "anna", now: now))
        #expect(try changes(since: version) == [.put(.revocation(.suspended("anna")))])
        _ = try authority.enrol(EnrolmentRequest(key: phoneKey(), use: .sign, subject: "anna"), now: now)
        let next = try publish()
        try authority.resume(subject: "anna")
        #expect(try changes(since: next) == [.gone(.revocation(.suspended("anna")))])
        #expect(throws: AuthorityError.notSuspended("anna", nearest: nil)) { try authority.resume(subject: "anna") }
        _ = try authority.revoke(.subject("eve"), now: now)
        #expect(throws: AuthorityError.subjectRevoked("eve")) { try authority.suspend(subject: "eve", now: now) }
        #expect(throws: AuthorityError.badSubject) { try authority.suspend(subject: "", now: now) }
    }

    @Test func rulesChangeWhatDiffers() throws {
        try apply(["anna", "ben"])
        let version = try publish()
        try apply(["anna", "ben"])
        #expect(try changes(since: version).isEmpty)
        try apply(["ben", "carl"])
        #expect(try changes(since: version) == [.gone(.membership(member("anna"))), .put(.rule(.membership(member("carl"))))])
        let next = try publish()
        try apply(["anna", "ben", "carl"])
        #expect(try changes(since: next) == [.put(.rule(.membership(member("anna"))))])
        #expect(try changes(since: version) == [.put(.rule(.membership(member("anna")))), .put(.rule(.membership(member("carl"))))])
    }

    /// A file of rules takes away what it gave, and nothing that a command gave.
    @Test func aMembershipIsThereForAsLongAsAnybodySaysSo() throws {
        try apply(["anna"])
        let rows = try MembershipRows(authority.database)
        #expect(try !rows.add(member("anna"), by: .command))
        #expect(try rows.add(member("ben"), by: .command))
        let version = try publish()
        try apply([])
        #expect(try changes(since: version).isEmpty)
        try apply(["ben"])
        #expect(try !rows.remove(member("ben"), by: .command))
        #expect(try changes(since: version).isEmpty)
        #expect(try rows.remove(member("anna"), by: .command))
        #expect(try !rows.remove(member("anna"), by: .command))
        #expect(try changes(since: version) == [.gone(.membership(member("anna")))])
    }

    /// What names a thing comes out of the database as it went in.
    @Test func everythingThatGoesHasAName() throws {
        let token = try #require(TokenIdentifier([UInt8](repeating: 7, count: 32)))
        let names: [PeopleKey] = [
            .enrolled(thumbprint: [UInt8](repeating: 1, count: 32)), .card(try UIDOnlyCardNumber([1, 2, 3, 4])), .membership(member("é")),
            .revocation(.token(token)), .revocation(.issued(issuer: "a", cti: [1])), .revocation(.subject("a")),
            .revocation(.suspended("a")), .revocation(.key(thumbprint: [UInt8](repeating: 2, count: 32)))
        ]
        for name in names { try authority.database.leave(name) }
        #expect(try changes(since: 0) == Set(names.map { .gone($0) }))
        for name in names { try authority.database.comeBack(name) }
        #expect(try changes(since: 0).isEmpty)
    }
}
