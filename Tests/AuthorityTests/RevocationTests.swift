import Credentials
import Cryptography
import Encoding
import Testing

@testable import Authority

/// A revocation that hits nobody lets somebody in.
@Suite("Revocation")
struct RevocationTests {
    let scratch: ScratchFolder
    let authority: Authority

    init() throws {
        scratch = try ScratchFolder()
        authority = try makeAuthority(in: scratch)
    }

    private func enrol(_ subject: String, _ key: PublicKey? = nil) throws -> PublicKey {
        let key = try key ?? phoneKey()
        _ = try authority.enrol(EnrolmentRequest(key: key, use: .sign, subject: subject), now: now)
        return key
    }

    private func issue(_ subject: String, _ key: PublicKey? = nil) throws -> Token {
        try authority.issue(TokenRequest(key: key ?? phoneKey(), use: .sign, subject: subject, rights: Rights(expiresAt: now + 86_400)), now: now)
    }

    private func revocations() throws -> Set<Revocation> {
        var found: Set<Revocation> = []
        try authority.forEachRevocation { revocation, _ in found.insert(revocation) }
        return found
    }

    private func enrolled() throws -> [String] {
        var names: [String] = []
        try authority.forEachEnrolled { key, _ in names.append(key.subject) }
        return names
    }

    // Names -----------------------------------------------------------------------------------------

    static let mistyped: [(String, String?)] = [("benn", "ben"), (" ben", "ben"), ("ben ", "ben"), ("Ben", "ben"), ("bne", "ben"), ("zacharias", nil),
                                             ("Jose Nunez", "José Núñez"), ("JOSÉ NÚÑEZ", "José Núñez"), ("Bem Jones", "Ben Jones"), ("Ben Jone", "Ben Jones")]

    @Test(arguments: mistyped)
    func aMistypedNameIsNobodys(typed: String, meant: String?) throws {
        for name in ["ben", "José Núñez", "Ben Jones"] { _ = try enrol(name) }
        for revocation in [Revocation.subject(typed), .suspended(typed)] {
            #expect(throws: AuthorityError.unknown("the subject '\(typed)'", nearest: meant)) { try authority.refuseUnknown(revocation) }
        }
        try authority.refuseUnknown(.subject("ben"))
    }

    @Test func anybodyOnAnyListIsKnown() throws {
        _ = try issue("tom")
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", now: now)
        try scratch.write("list.csv", Array("subject,groups\ngina,staff\n".utf8))
        _ = try authority.importPeople(at: scratch.path("list.csv"), now: now)
        _ = try authority.revoke(.subject("of long ago"), now: now)
        for name in ["tom", "carla", "gina", "of long ago"] { try authority.refuseUnknown(.subject(name)) }
    }

    @Test func keysAndTokensOfNobodyAreNobodys() throws {
        let key = try enrol("ben"), token = try issue("tom")
        try authority.refuseUnknown(.key(thumbprint: key.thumbprint))
        try authority.refuseUnknown(.key(thumbprint: token.confirmationKey.thumbprint))
        try authority.refuseUnknown(.token(token.identifier))
        try authority.refuseUnknown(.issued(issuer: token.issuer, cti: token.identifierClaim))
        let identifier = try #require(TokenIdentifier([UInt8](repeating: 7, count: 32)))
        for unknown in [Revocation.key(thumbprint: [UInt8](repeating: 7, count: 32)), .token(identifier), .issued(issuer: token.issuer, cti: [7])] {
            #expect { try authority.refuseUnknown(unknown) } throws: { ($0 as? AuthorityError)?.code == "nobody-has-it" }
        }
        #expect { try authority.refuseUnknown(.issued(issuer: "nort-issuer", cti: token.identifierClaim)) } throws: { error in
            (error as? AuthorityError)?.message.contains("'north-issuer'") ?? false
        }
    }

    /// A backup knows nothing of tokens that were issued since; whoever brings one has seen it.
    @Test func aTokenOfThisOfficeThatABackupForgotIsKnown() throws {
        let token = try issue("tom")
        try authority.database.connection.execute("DELETE FROM token")
        try authority.refuseUnknown(token)
        #expect(throws: AuthorityError.self) { try authority.refuseUnknown(.token(token.identifier)) }
    }

    @Test func whoeverTypesAccentsApartMeansTheSamePerson() throws {
        let composed = "Jos\u{E9}", apart = "Jose\u{301}"
        _ = try enrol(apart)
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: apart, now: now)
        let token = try issue(apart)
        try scratch.write("list.csv", Array("subject,groups\n\(apart),caf\u{E9};cafe\u{301}\n".utf8))
        let taken = try authority.importPeople(at: scratch.path("list.csv"), now: now)
        #expect(taken.joined == 1, "one group, not two")
        for name in try enrolled() + [token.subject] { #expect(name.utf8.elementsEqual(composed.utf8)) }
        for name in [composed, apart] { try authority.refuseUnknown(.subject(name)) }
        _ = try authority.suspend(subject: apart, now: now)
        for revocation in try revocations() {
            guard case .suspended(let name) = revocation else { continue }
            #expect(name.utf8.elementsEqual(composed.utf8))
        }
        try authority.resume(subject: composed)
        #expect(try authority.ban(subject: apart, now: now))
        #expect(throws: AuthorityError.subjectRevoked(composed)) { try enrol(composed) }
    }

    @Test func theRulesNameWhomTheyTakeBackFromNobody() throws {
        _ = try enrol("ben")
        try scratch.write("rules.toml", Array("[[revocation]]\nsubject = \"benn\"\n[[revocation]]\nsubject = \"ben\"\n".utf8))
        let warnings = try authority.applyRules(at: scratch.path("rules.toml"), now: now).warnings
        #expect(warnings.map(\.code) == ["revocation-of-nobody"] && warnings.first?.suggestion == "ben")
    }

    // A lost phone ------------------------------------------------------------------------------------

    @Test func aLostPhoneOpensNothingAndTheNextOneIsEnrolled() throws {
        let key = try enrol("ben"), token = try issue("ben"), other = try enrol("anna")
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "ben", now: now)
        let lost = try authority.lose(phonesOf: "ben", now: now + 60)
        #expect(Set(lost.keys) == [key.thumbprint, token.confirmationKey.thumbprint])
        #expect(lost.tokens == 1 && lost.cards == 1 && lost.others.isEmpty)
        #expect(try revocations() == Set(lost.keys.map { .key(thumbprint: $0) }))
        #expect(try enrolled() == ["ben", "anna"], "a key that nobody knows is refused as unknown, and nobody can say whose it was")
        let holders = try authority.holdersOfRevoked()
        #expect(lost.keys.allSatisfy { holders[.key(thumbprint: $0)] == ["ben"] })
        #expect(throws: AuthorityError.keyRevoked(thumbprint: key.thumbprint)) { try enrol("ben", key) }
        #expect(throws: AuthorityError.keyRevoked(thumbprint: key.thumbprint)) { try issue("ben", key) }
        _ = try enrol("ben")
        _ = try issue("ben")
        #expect(try authority.lose(phonesOf: "anna", now: now).keys == [other.thumbprint])
    }

    @Test func aPhoneOfTwoPeopleIsNamedForBoth() throws {
        let key = try enrol("ben")
        _ = try issue("the post", key)
        #expect(try authority.lose(phonesOf: "ben", now: now).others == ["the post"])
        #expect(try authority.lose(phonesOf: "the post", now: now).keys.isEmpty, "it was ended before")
    }

    @Test func aPhoneOfNobodyIsNotLost() throws {
        _ = try enrol("ben")
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", now: now)
        let refused: [(String, AuthorityError)] = [("benn", .nobody("benn", nearest: "ben")), ("carla", .noPhone("carla"))]
        for (name, error) in refused {
            #expect(throws: error) { try authority.lose(phonesOf: name, now: now) }
            #expect(!error.message.contains("--anyway"), "no option of this command")
        }
        #expect(try revocations().isEmpty)
    }

    /// Whoever was named twice was said to be nobody, and could be neither suspended nor banned.
    @Test func aPhoneThatIsLostTwiceWasLostBefore() throws {
        let key = try enrol("ben")
        #expect(try authority.lose(phonesOf: "ben", now: now).keys == [key.thumbprint])
        #expect(try authority.lose(phonesOf: "ben", now: now).keys.isEmpty)
        for revocation in [Revocation.subject("ben"), .suspended("ben")] { try authority.refuseUnknown(revocation) }
    }

    /// The ban is lifted one day, and whoever found the phone has been waiting.
    @Test func aPhoneThatIsLostDuringABanIsLostAfterIt() throws {
        let key = try enrol("ben")
        _ = try authority.ban(subject: "ben", now: now)
        let lost = try authority.lose(phonesOf: "ben", now: now)
        #expect(lost.keys == [key.thumbprint] && lost.isBanned)
        try authority.liftBan(subject: "ben")
        #expect(try revocations() == [.key(thumbprint: key.thumbprint)])
        #expect(throws: AuthorityError.keyRevoked(thumbprint: key.thumbprint)) { try enrol("ben", key) }
        #expect(try !authority.lose(phonesOf: "ben", now: now).isBanned)
    }

    @Test func whatWasTakenBackSaysWhoseItWas() throws {
        let token = try issue("tom"), other = try issue("dora"), key = try enrol("ben")
        _ = try issue("the post", key)
        for revocation in [Revocation.token(token.identifier), .issued(issuer: other.issuer, cti: other.identifierClaim), .key(thumbprint: key.thumbprint), .subject("carla")] {
            _ = try authority.revoke(revocation, now: now)
        }
        #expect(try authority.holdersOfRevoked() == [.token(token.identifier): ["tom"], .issued(issuer: other.issuer, cti: other.identifierClaim): ["dora"],
                                                     .key(thumbprint: key.thumbprint): ["ben", "the post"]])
    }

    @Test func whoeverLostAPhoneIsAmongThoseWithoutOne() throws {
        let key = try enrol("ben"), token = try issue("tom"), dora = try enrol("dora")
        _ = try issue("ben", key)
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", now: now)
        try scratch.write("list.csv", Array("subject,groups\ngina,staff\n".utf8))
        _ = try authority.importPeople(at: scratch.path("list.csv"), now: now)
        func people(_ time: Int64 = now) throws -> [String] { try authority.people(now: time).map { "\($0.subject) \($0.phones) \($0.cards) \($0.state.rawValue)" } }
        #expect(try people() == ["ben 1 0 valid", "carla 0 1 valid", "dora 1 0 valid", "gina 0 0 valid", "tom 1 0 valid"])
        _ = try authority.lose(phonesOf: "ben", now: now)
        _ = try authority.suspend(subject: "dora", now: now)
        _ = try authority.ban(subject: "gina", now: now)
        #expect(try people(token.claims.expiresAt) == ["ben 0 0 valid", "carla 0 1 valid", "dora 1 0 suspended", "gina 0 0 banned", "tom 0 0 valid"])
        let states = try authority.heldStates(now: now)
        try authority.forEachEnrolled { enrolled, _ in #expect(states.state(of: enrolled) == (enrolled.key == dora ? .suspended : .revoked)) }
        try authority.forEachToken { #expect(states.state(of: $0) == ($0.subject == "tom" ? .valid : .revoked)) }
        let later = try authority.heldStates(now: token.claims.expiresAt), before = try authority.heldStates(now: 0)
        try authority.forEachToken { if $0.subject == "tom" { #expect(later.state(of: $0) == .expired && before.state(of: $0) == .notYetValid) } }
    }

    @Test func whoeverIsEasilyTakenForSomebodyElseIsNamed() throws {
        for name in ["anna", "Anna", "ann a", "José", "jose", "annab"] { _ = try enrol(name) }
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "ANNA", now: now)
        #expect(try authority.namesLike("anna") == ["ANNA", "Anna"])
        #expect(try authority.namesLike("Jose\u{301}") == ["jose"], "typed in another form he is himself")
        #expect(try authority.namesLike("annab").isEmpty)
    }

    // Under another name -------------------------------------------------------------------------------

    private static func point(_ key: PublicKey) -> String { Hex.encode([4] + key.x + (key.y ?? [])) }

    @Test(arguments: [true, false])
    func whatSomebodyTakenBackHoldsIsNobodyElses(isBanned: Bool) throws {
        let key = try enrol("carl"), other = try phoneKey()
        _ = try issue("carl", other)
        _ = try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carl", now: now)
        _ = try isBanned ? authority.ban(subject: "carl", now: now) : authority.suspend(subject: "carl", now: now)
        let refused = AuthorityError.holderTakenBack("carl", isBanned: isBanned)
        for held in [key, other] {
            #expect(throws: refused) { try enrol("carla", held) }
            #expect(throws: refused) { try issue("carla", held) }
            try scratch.write("keys.jsonl", Array("{\"subject\":\"carla\",\"key\":\"\(Self.point(held))\"}\n".utf8))
            #expect { try authority.enrol(listAt: scratch.path("keys.jsonl"), now: now) } throws: { ($0 as? AuthorityError)?.message.contains("'carl'") ?? false }
        }
        #expect(throws: refused) { try authority.enrol(card: [4, 1, 2, 3, 4, 5, 6], subject: "carla", now: now) }
        try scratch.write("list.csv", Array("subject,key,uid\ncarla,\(Self.point(key)),04010203040506\n".utf8))
        let taken = try authority.importPeople(at: scratch.path("list.csv"), now: now)
        #expect(taken.leftOut == 2 && !taken.hasChanges && taken.warnings.map(\.code) == ["holder-taken-back", "holder-taken-back"])
        #expect(try enrolled() == ["carl"])
        if isBanned { try authority.liftBan(subject: "carl") } else { try authority.resume(subject: "carl") }
        #expect(try authority.importPeople(at: scratch.path("list.csv"), now: now).changed == 2)
    }

    /// The export of one night lacked him, and somebody at the desk had suspended him.
    @Test func whoeverIsBackInTheNextListIsSuspendedStill() throws {
        let key = try phoneKey()
        func apply(_ action: String) throws -> ImportedPeople {
            try scratch.write("list.csv", Array("subject,key,groups,action\ncarl,\(Self.point(key)),staff,\(action)\n".utf8))
            return try authority.importPeople(at: scratch.path("list.csv"), now: now)
        }
        _ = try apply("set")
        _ = try authority.suspend(subject: "carl", now: now)
        #expect(try apply("remove").removed == 1)
        #expect(try apply("set").added == 1)
        #expect(try authority.heldStates(now: now).state(of: "carl") == .suspended)
        // What was lost stays lost.
        _ = try authority.lose(phonesOf: "carl", now: now)
        #expect(try apply("remove").removed == 1)
        #expect(try apply("set").leftOut == 1)
    }

    // Bans --------------------------------------------------------------------------------------------

    @Test func aBanIsLiftedByItsOwnCommand() throws {
        let key = try enrol("ben")
        #expect(throws: AuthorityError.notBanned("ben", byRules: false)) { try authority.liftBan(subject: "ben") }
        #expect(try authority.ban(subject: "ben", now: now))
        #expect(try !authority.ban(subject: "ben", now: now))
        try authority.liftBan(subject: "ben")
        #expect(try revocations().isEmpty)
        _ = try enrol("ben", key)
    }

    @Test func whoeverIsResumedOrUnbannedByAMistypedNameIsNamed() throws {
        for name in ["anna", "hanna", "ben"] { _ = try enrol(name) }
        _ = try authority.suspend(subject: "hanna", now: now)
        _ = try authority.ban(subject: "ben", now: now)
        #expect(throws: AuthorityError.notSuspended("hana", nearest: "hanna")) { try authority.resume(subject: "hana") }
        #expect(throws: AuthorityError.notSuspended("anna", nearest: nil)) { try authority.resume(subject: "anna") }
        #expect(throws: AuthorityError.notBanned("Ben", byRules: false, nearest: "ben")) { try authority.liftBan(subject: "Ben") }
        #expect(throws: AuthorityError.nobody("annna", nearest: "anna")) { try authority.refuseNobody("annna") }
        try authority.refuseNobody("ben")
    }

    @Test func noCommandLiftsWhatTheRulesTakeBack() throws {
        _ = try enrol("ben")
        try scratch.write("rules.toml", Array("[[revocation]]\nsubject = \"ben\"\n".utf8))
        _ = try authority.applyRules(at: scratch.path("rules.toml"), now: now)
        #expect(throws: AuthorityError.notBanned("ben", byRules: true)) { try authority.liftBan(subject: "ben") }
    }
}
