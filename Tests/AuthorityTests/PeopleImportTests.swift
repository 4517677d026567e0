import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Testing

@testable import Authority

/// Lists of people from a spreadsheet: whole or not at all.
@Suite("Importing people") struct PeopleImportTests {
    let scratch: ScratchFolder
    let authority: Authority
    let keys: [PublicKey]

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
        keys = try (0..<3).map { _ in try phoneKey() }
    }

    /// K0 to K2 stand for the keys.
    private func apply(_ text: String, isRehearsal: Bool = false, at time: Int64 = now) throws -> ImportedPeople {
        var text = text
        for (number, key) in keys.enumerated() { text = text.replacing("K\(number)", with: key.point) }
        try scratch.write("people.csv", Array(text.utf8))
        return try authority.importPeople(at: scratch.path("people.csv"), isRehearsal: isRehearsal, now: time)
    }

    private func issues(_ text: String) throws -> [String] {
        do {
            _ = try apply(text)
            return []
        } catch AuthorityError.importRefused(let refused) {
            return refused.issues.map { "\($0.position.line):\($0.position.column) \($0.code)" }
        }
    }

    private func state() throws -> Set<PeopleChange> {
        var state: Set<PeopleChange> = []
        try authority.database.forEachChange(since: 0) { state.insert($0) }
        return state
    }

    private func enrolled() throws -> [String: EnrolledKey] {
        var keys: [String: EnrolledKey] = [:]
        try authority.forEachEnrolled { key, _ in keys[key.subject] = key }
        return keys
    }

    private func members() throws -> [String] {
        var members: [String] = []
        try authority.forEachMembership { members.append("\($0.group)/\($0.subject)") }
        return members
    }

    @Test func everyColumnIsTaken() throws {
        let done = try apply("""
            subject,key,kid,use,uid,groups,audiences,scope,not-before,expires,user-verified,action\r
            anna,K0,0a0b,agree,,staff;lab,tapstile:north/hall;tapstile:north/yard,tokn hold,2025-01-31T08:00:00Z,2026-01-31,yes,set\r
            "Jones, Ben",,,,04a1b2c3d4e5f6,,,,,2026-01-31,,\r
            carl,K1,,,04a1b2c3d4e5f7,,,,,,,\r

            """)
        #expect(done.lines == 3 && done.added == 4 && done.joined == 2 && done.changed == 0 && done.hasChanges)
        #expect(done.unusedGroups == ["lab", "staff"])
        let anna = try #require(enrolled()["anna"])
        #expect(anna.key == keys[0] && anna.keyIdentifier == [0x0A, 0x0B] && anna.use == .agree && anna.userVerification)
        #expect(anna.audiences == ["tapstile:north/hall", "tapstile:north/yard"] && anna.scope == ["tokn", "hold"])
        #expect(anna.notBefore == now && anna.expiresAt == 1_769_817_600)
        let carl = try #require(enrolled()["carl"])
        #expect(carl.use == .sign && carl.scope == ["tokn"] && carl.audiences.isEmpty && carl.expiresAt == nil && !carl.userVerification)
        var cards: [UIDOnlyCard] = []
        try authority.forEachUIDOnlyCard { card, _ in cards.append(card) }
        #expect(cards.map(\.subject) == ["Jones, Ben", "carl"] && cards[0].expiresAt == 1_769_817_600)
        #expect(try members() == ["lab/anna", "staff/anna"])
    }

    @Test func theSameListAgainIsNoChange() throws {
        let list = "subject,key,uid,groups\nanna,K0,,staff\nben,,04a1b2c3d4e5f6,staff\n"
        #expect(try apply(list).added == 2)
        let before = try state()
        let again = try apply(list)
        #expect(again.unchanged == 2 && !again.hasChanges)
        #expect(try state() == before)
    }

    /// Evidence asks since when somebody has a key.
    @Test func aListThatComesEveryNightDatesNobodyAnew() throws {
        let list = "subject,key,uid\nanna,K0,\nben,,04a1b2c3d4e5f6\n"
        _ = try apply(list)
        _ = try apply(list, at: now + 86_400)
        var dates: [Int64] = []
        try authority.forEachEnrolled { _, time in dates.append(time) }
        try authority.forEachUIDOnlyCard { _, time in dates.append(time) }
        #expect(dates == [now, now])
    }

    @Test func whatIsKnownIsReplacedOrRemoved() throws {
        _ = try apply("subject,key,uid,groups\nanna,K0,,staff\nben,,04a1b2c3d4e5f6,\n")
        let done = try apply("""
            Action , subject,key,uid,groups
            set,anna maria,K0,,
            remove,ben,,04a1b2c3d4e5f6,
            remove,carl,K1,,
            remove,anna,,,staff

            """)
        #expect(done.changed == 1 && done.removed == 1 && done.unchanged == 1 && done.left == 1 && done.joined == 0)
        #expect(try enrolled().keys.sorted() == ["anna maria"])
        #expect(try members().isEmpty)
        let number = try UIDOnlyCardNumber(Hex.decode("04a1b2c3d4e5f6"))
        let gone: Set<PeopleChange> = [.gone(.card(number)), .gone(.membership(Membership(group: "staff", subject: "anna")))]
        #expect(try state().isSuperset(of: gone))
    }

    @Test func aRemovedKeyIsGoneForGates() throws {
        _ = try apply("subject,key\nanna,K0\n")
        #expect(try apply("subject,key,action\nanna,K0,remove\n").removed == 1)
        #expect(try state() == [.gone(.enrolled(thumbprint: keys[0].thumbprint))])
    }

    @Test func aRehearsalKeepsNothing() throws {
        let done = try apply("subject,key,groups\nanna,K0,staff\n", isRehearsal: true)
        #expect(done.added == 1 && done.joined == 1)
        #expect(try state().isEmpty)
        #expect(throws: AuthorityError.self) { try apply("subject,key\nanna,xy\n", isRehearsal: true) }
        #expect(try apply("subject,key\nanna,K0\n").added == 1, "the database is free again")
    }

    static let refused: [(String, [String])] = [
        ("", ["1:1 csv-header"]), ("key\nK0\n", ["1:1 csv-header"]), ("subject;key\nanna;K0\n", ["1:1 csv-header"]),
        ("subject,colour,subject\nanna,red,x\n", ["1:9 csv-header", "1:16 csv-header"]),
        ("subject,key\nanna\nben,K0,x\n", ["2:1 csv-fields", "3:1 csv-fields"]),
        ("subject,key\n,K0\n", ["2:1 bad-subject"]), ("subject,key\nanna,\n", ["2:1 csv-nothing"]),
        ("subject,key\nanna,04\n", ["2:6 key-form-malformed"]), ("subject,key\nanna,xy\n", ["2:6 key-form-unknown"]),
        ("subject,key,use\nanna,K0,both\n", ["2:137 csv-value"]), ("subject,uid,use\nanna,04a1b2c3d4e5f6,sign\n", ["2:21 csv-value"]),
        ("subject,uid\nanna,0401\n", ["2:6 bad-uid"]), ("subject,uid,scope\nanna,04a1b2c3d4e5f6,hold\n", ["2:21 card-command"]),
        ("subject,uid,audiences\nanna,04a1b2c3d4e5f6,hall\n", ["2:21 bad-audience"]),
        ("subject,uid,expires\nanna,04a1b2c3d4e5f6,soon\n", ["2:21 csv-value"]),
        ("subject,uid,expires,not-before\nanna,04a1b2c3d4e5f6,2025-01-01,2025-01-02\n", ["2:21 times-out-of-order"]),
        ("subject,uid,action\nanna,04a1b2c3d4e5f6,drop\n", ["2:21 csv-value"]),
        ("subject,uid\nanna,04a1b2c3d4e5f6\nben,04A1B2C3D4E5F6\n", ["3:5 csv-twice"]),
        ("subject,key\nanna,K0\nben,K0\n", ["3:5 csv-twice"]), ("subject,uid\nanna,\"04a1\nben,x\n", ["2:6 csv-quotes"]),
        ("subject,key,kid\nanna,K0,0\n", ["2:137 csv-value"]), ("subject;key\nanna;\"staff\"lab\nben;\"x\"y\n", ["1:1 csv-header"]),
        ("subject,uid,action\nanna,04a1b2c3d4e5aa,remove\n", ["2:6 other-subject"]),
        ("subject,groups,expires\nanna,staff,2025-07-01\n", ["2:12 csv-value"]),
        ("subject,groups,audiences,scope\nanna,staff,tapstile:north,tokn\n", ["2:12 csv-value", "2:27 csv-value"]),
        ("subject,key,uid,scope,expires\n,xy,04,\"a b\",soon\n", ["2:1 bad-subject", "2:2 key-form-unknown", "2:5 bad-uid", "2:14 csv-value"])
    ]

    @Test(arguments: refused)
    func everyMistakeIsNamedAndNothingIsTaken(text: String, expected: [String]) throws {
        _ = try authority.enrol(card: Hex.decode("04a1b2c3d4e5aa"), subject: "dora", now: now)
        let before = try state()
        #expect(try issues(text).sorted() == expected.sorted())
        #expect(try state() == before)
    }

    @Test func aThousandMistakesAreToldAndAllAreCounted() throws {
        let text = "subject,key\n" + String(repeating: "anna,xy\n", count: 1200)
        do {
            _ = try apply(text)
            Issue.record("it has mistakes")
        } catch AuthorityError.importRefused(let refused) {
            #expect(refused.count == 1200 && refused.issues.count == 1000)
            #expect(refused.message == "\(scratch.path("people.csv")) has 1200 errors; nothing of it was taken.")
            #expect(refused.details.last == "And 200 more.")
        }
    }

    @Test func otherRolesAndUsesAreRefused() throws {
        _ = try apply("subject,key\nanna,K0\n")
        #expect(try issues("subject,key,use\nanna,K0,agree\n") == ["2:6 key-other-use"])
        _ = try authority.revoke(.key(thumbprint: keys[1].thumbprint), now: now)
        #expect(try apply("subject,key\nanna,K1\n").leftOut == 1)
        let gate = try gateIssuerKey(in: scratch).point
        #expect(try issues("subject,key\nanna,\(gate)\n") == ["2:6 key-not-a-persons"])
    }

    /// The file of rules gives and takes its own; a list gives and takes its own.
    @Test func rulesAndListsDoNotTakeFromEachOther() throws {
        try scratch.write("rules.toml", Array("[[group]]\nname = \"staff\"\nmembers-file = \"staff.txt\"\n[[rule]]\ngroup = \"staff\"".utf8))
        try scratch.write("staff.txt", Array("anna\n".utf8))
        _ = try authority.applyRules(at: scratch.path("rules.toml"), now: now)
        let done = try apply("subject,groups\nanna,staff\nben,staff\n")
        #expect(done.joined == 1 && done.unusedGroups.isEmpty)
        let taken = try apply("subject,groups,action\nanna,staff,remove\nben,staff,remove\neve,staff,remove\n")
        #expect(taken.left == 1 && taken.warnings.map(\.code) == ["group-of-rules"], "whoever exports the list thinks that anna is out")
        #expect(try members() == ["staff/anna"])
    }

    // What a list does not say -----------------------------------------------------------------------

    /// The next night's list has fewer columns: her side door until January must not become the whole site for ever.
    @Test func aListWithoutAColumnLeavesAloneWhatTheColumnSays() throws {
        _ = try apply("""
            subject,key,kid,use,uid,audiences,scope,not-before,expires,user-verified
            anna,K0,0a0b,agree,04a1b2c3d4e5f6,tapstile:north/side,,2025-01-31T08:00:00Z,2026-01-31,yes
            ben,K1,,,,tapstile:north/side,tokn hold,,2026-01-31,no

            """)
        let before = try enrolled(), card = try authority.database.card(UIDOnlyCardNumber(Hex.decode("04a1b2c3d4e5f6")))
        #expect(try apply("subject,key,uid\nanna,K0,04a1b2c3d4e5f6\nben,K1,\n").unchanged == 3)
        #expect(try enrolled() == before)
        #expect(try authority.database.card(UIDOnlyCardNumber(Hex.decode("04a1b2c3d4e5f6"))) == card)
        for column in ["kid", "audiences", "scope", "not-before", "expires", "user-verified"] {
            _ = try apply("subject,key,\(column)\nben,K1,\n")
        }
        let ben = try #require(enrolled()["ben"])
        #expect(ben.audiences.isEmpty && ben.scope == ["tokn"] && ben.notBefore == nil && ben.expiresAt == nil && !ben.userVerification)
        #expect(try apply("subject,key,audiences\nben,K1,tapstile:north/yard\n").changed == 1)
        #expect(try enrolled()["ben"]?.expiresAt == nil && enrolled()["anna"] == before["anna"])
    }

    /// An end that is said, and a beginning that is known.
    @Test func whatIsSaidFitsWhatIsLeftAlone() throws {
        _ = try apply("subject,key,not-before\nanna,K0,2025-06-01\n")
        #expect(try issues("subject,key,expires\nanna,K0,2025-05-01\n") == ["2:137 times-out-of-order"])
        #expect(try apply("subject,key,expires\nanna,K0,2025-07-01\n").changed == 1)
        #expect(try issues("subject,key,audiences\nanna,K0, ; \n") == ["2:137 csv-value"], "nobody has said the whole site")
    }

    @Test func aCheckNamesWhoGainsAndWhoLosesWhat() throws {
        _ = try apply("""
            subject,key,uid,audiences,expires,user-verified,groups
            anna,K0,,tapstile:north/side,2026-01-31,,
            ben,K1,,,,yes,staff
            dora,,04a1b2c3d4e5f6,,,,

            """)
        func descriptions(_ changes: RightsChanges) -> [String] { changes.first.map(\.description) }
        let names = keys.map { "key " + Hex.encode($0.thumbprint.prefix(8)) }
        let done = try apply("""
            subject,key,uid,audiences,expires,user-verified,groups,action
            anna,K0,,,,,staff,
            ben,K1,,tapstile:north/side;tapstile:north/yard,2026-01-31,,,
            carl,K2,,tapstile:north/yard,,yes,,
            dora,,04a1b2c3d4e5f6,,,,,remove
            ben,,,,,,staff,remove

            """, isRehearsal: true)
        #expect(descriptions(done.gains) == [
            "anna: \(names[0]): the whole site, not only tapstile:north/side; without an end, not only until 2026-01-31T00:00:00Z",
            "anna: group staff", "carl: \(names[2]): tapstile:north/yard; tokn; without an end; user-verified"
        ])
        #expect(descriptions(done.losses) == [
            "ben: \(names[1]): the whole site, not only tapstile:north/side, tapstile:north/yard; without an end, not only until 2026-01-31T00:00:00Z; user-verified",
            "dora: card 04a1b2c3d4e5f6: the whole site; tokn; without an end", "ben: group staff"
        ])
        // A key that comes to somebody else: one has it no more, the other has all of it.
        let passed = try apply("subject,key\nzoe,K0\n", isRehearsal: true)
        #expect(passed.gains.first.map(\.subject) == ["zoe"] && passed.losses.first.map(\.subject) == ["anna"])
        // What is inside what was there is no gain.
        let narrower = try apply("subject,key,audiences\nanna,K0,tapstile:north/side/door\n", isRehearsal: true)
        #expect(narrower.gains.count == 0 && descriptions(narrower.losses) == ["anna: \(names[0]): tapstile:north/side, not only tapstile:north/side/door"])
    }

    @Test func placesOfAnotherSiteAndEndsInThePastAreWarnedOf() throws {
        let done = try apply("subject,key,audiences,expires\nanna,K0,tapstile:south/hall;tapstile:north,2025-01-31\nben,K1,tapstile:northern,\n")
        #expect(done.added == 2 && done.warnings.map { "\($0.position.line):\($0.position.column) \($0.code)" } == [
            "2:137 audience-of-other-site", "2:172 expires-in-past", "3:136 audience-of-other-site"
        ])
        #expect(try apply("subject,key\nben,K1\n").warnings.map(\.code) == ["audience-of-other-site"], "what is left alone too")
    }

    // Much at once --------------------------------------------------------------------------------------

    private func applyCards(_ numbers: Range<Int>, _ rest: String, mostLost: Int? = 20, isRehearsal: Bool = false) throws -> ImportedPeople {
        let lines = numbers.map { "p\($0),040000000000\($0),\(rest)\n" }.joined()
        try scratch.write("cards.csv", Array("subject,uid,expires,action\n\(lines)".utf8))
        return try authority.importPeople(at: scratch.path("cards.csv"), isRehearsal: isRehearsal, mostLost: mostLost, now: now)
    }

    /// Somebody's export ended everybody.
    @Test(arguments: [",remove", "2025-02-01,set"])
    func aListThatTakesMuchAwayIsRefusedUntilSomebodyMeansIt(rest: String) throws {
        _ = try applyCards(10..<60, ",set")
        let before = try state(), refused = AuthorityError.tooMuchLost(ListLoss(count: 11, total: 50))
        #expect(throws: refused) { try applyCards(10..<21, rest) }
        #expect(try state() == before)
        let rehearsed = try applyCards(10..<21, rest, isRehearsal: true)
        #expect(rehearsed.warnings.map(\.code) == ["list-takes-much"] && rehearsed.losses.count == 11)
        #expect(try applyCards(10..<21, rest, mostLost: 22).losses.count == 11)
        #expect(try applyCards(21..<30, rest, mostLost: 0).losses.count == 9, "so many go on a usual day of a small site")
        #expect(throws: AuthorityError.self) { try applyCards(30..<60, rest) }
        #expect(try applyCards(30..<60, rest, mostLost: nil).losses.count == 30)
    }

    /// Sixty-four in one line, and what rules and other lines say besides.
    /// A phone that was lost at noon is in the list of the night, and so are those who left.
    @Test func whatIsRevokedIsLeftOutAndTheRestIsTaken() throws {
        _ = try apply("subject,key\nanna,K0\nben,K1\n")
        _ = try authority.revoke(.key(thumbprint: keys[0].thumbprint), now: now)
        _ = try authority.revoke(.subject("carl"), now: now)
        let done = try apply("subject,key,uid,action\nanna,K0,,\ncarl,K2,04a1b2c3d4e5f6,\nben,K1,,remove\n")
        #expect(done.leftOut == 3 && done.removed == 1 && done.added == 0)
        #expect(done.warnings.map(\.code) == ["key-revoked", "subject-revoked", "subject-revoked"])
        #expect(try enrolled().keys.sorted() == ["anna"], "whose key stays revoked")
        #expect(try state().contains(.put(.revocation(.key(thumbprint: keys[0].thumbprint)))))
    }

    @Test func aListWithoutPlacesSaysHowManyGetTheWholeSite() throws {
        #expect(try apply("subject,key\nanna,K0\nben,K1\n").warnings.map(\.code) == ["whole-site"])
        #expect(try apply("subject,key\nanna,K0\n").warnings.isEmpty, "what is known is left alone")
        #expect(try apply("subject,key,audiences\ncarl,K2,\n").warnings.isEmpty, "somebody has said so")
    }

    @Test func aPlaceThatIsExchangedIsNoAddition() throws {
        _ = try apply("subject,key,audiences\nanna,K0,tapstile:north/hall\n")
        let done = try apply("subject,key,audiences\nanna,K0,tapstile:north/yard\n", isRehearsal: true)
        #expect(done.gains.first.map(\.what) == [["tapstile:north/yard, instead of tapstile:north/hall"]])
    }

    @Test func aKeyOrCardThatComesToSomebodyElseIsWarnedOf() throws {
        _ = try apply("subject,key,uid\nanna,K0,04a1b2c3d4e5f6\n")
        let moved = try apply("subject,key,uid\nben,K0,04a1b2c3d4e5f6\n")
        let told = moved.warnings.map { "\($0.position.line):\($0.position.column) \($0.code)" }
        #expect(told == ["2:5 subject-changed", "2:136 subject-changed"])
        #expect(moved.warnings.allSatisfy { $0.message.contains("'anna'") })
        #expect(try apply("subject,key,uid\nben,K0,04a1b2c3d4e5f6\n").warnings.isEmpty, "it is ben's already")
    }

    @Test func aSixtyFifthGroupIsRefusedWithTheLineThatSaysIt() throws {
        let clubs = (1...64).map { "club \($0)" }
        #expect(try apply("subject,groups\nanna,\(clubs.joined(separator: ";"))\n").joined == 64)
        #expect(try issues("subject,groups\nben,club 1\nanna,choir\nanna,club 1\n") == ["4:6 too-many-groups"])
        #expect(try issues("subject,groups\nben,\((clubs + ["choir"]).joined(separator: ";"))\ncarl,choir\n") == ["2:5 too-many-groups"])
        #expect(try members().count == 64)
        try scratch.write("rules.toml", Array("[[group]]\nname = \"staff\"\nmembers = [\"anna\"]\n[[rule]]\ngroup = \"staff\"".utf8))
        #expect(throws: AuthorityError.tooManyGroups("anna")) { try authority.applyRules(at: scratch.path("rules.toml"), now: now) }
        #expect(try members().count == 64, "nothing of the rules was kept")
        #expect(try apply("subject,groups,action\nanna,club 1,remove\n").left == 1)
        _ = try authority.applyRules(at: scratch.path("rules.toml"), now: now)
        #expect(try members().count == 64)
    }

    @Test func aFileThatIsNotThereIsNamed() throws {
        #expect { try authority.importPeople(at: scratch.path("none"), now: now) } throws: { ($0 as? AuthorityError)?.code == "system-call-failed" }
    }
}
