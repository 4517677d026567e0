import Credentials
import Cryptography
import Invitations
import InvitationDesk
import Testing

/// Operators: what they do is written down, and whoever is none does nothing.
@Suite struct OperatorTests {
    private static let password = "correct horse battery"

    @Test func whoSignsInIsKnownUntilTheSessionEnds() throws {
        let all = try DeskFixture()
        try all.desk.setPassword(name: "Kim", password: Self.password, by: "root", now: noon)
        let session = try all.desk.signIn(name: "Kim", password: Self.password, now: noon)
        #expect(try all.desk.session(token: session.token, now: noon)?.name == "Kim")
        #expect(try all.another().session(token: session.token, now: session.expires - 1)?.name == "Kim")
        #expect(try all.desk.session(token: session.token, now: session.expires) == nil)
        #expect(session.fits(formToken: session.formToken) && !session.fits(formToken: session.token) && !session.fits(formToken: ""))
        try all.desk.signOut(token: session.token)
        #expect(try all.desk.session(token: session.token, now: noon) == nil)
    }

    @Test func wrongPasswordsAndNamesOfNobodyAnswerAlike() throws {
        let all = try DeskFixture()
        try all.desk.setPassword(name: "Kim", password: Self.password, by: "root", now: noon)
        for (name, password) in [("Kim", Self.password + "x"), ("Kim", ""), ("Lee", Self.password), ("", "")] {
            #expect(throws: DeskError.signInRefused) { try all.desk.signIn(name: name, password: password, now: noon) }
        }
        #expect(throws: DeskError.badPassword) { try all.desk.setPassword(name: "Kim", password: "short", by: "root", now: noon) }
        for name in ["", "a\nb", "(phone)"] {
            #expect(throws: DeskError.badName(name)) { try all.desk.setPassword(name: name, password: Self.password, by: "root", now: noon) }
        }
    }

    @Test func aNewPasswordAndAnEndPutEveryBodyOut() throws {
        let all = try DeskFixture()
        try all.desk.setPassword(name: "Kim", password: Self.password, by: "root", now: noon)
        let first = try all.desk.signIn(name: "Kim", password: Self.password, now: noon)
        try all.desk.setPassword(name: "Kim", password: Self.password + "2", by: "root", now: noon)
        #expect(try all.desk.session(token: first.token, now: noon) == nil)
        let second = try all.desk.signIn(name: "Kim", password: Self.password + "2", now: noon)
        try all.desk.removeOperator(name: "Kim", by: "root", now: noon)
        #expect(try all.desk.session(token: second.token, now: noon) == nil && all.desk.operators().isEmpty)
        #expect(throws: DeskError.noOperator("Kim")) { try all.desk.removeOperator(name: "Kim", by: "root", now: noon) }
    }

    @Test func eachChangeIsWrittenDownWithWhoDidIt() throws {
        let all = try DeskFixture(), key = try SigningKey.generate(), (code, id) = try all.invite("Ada")
        try all.redeem(code, key)
        try all.desk.suspend(id, by: "Kim", now: noon + 1)
        try all.desk.resume(id, by: "Lee", now: noon + 2)
        try all.desk.revoke(id, by: "Kim", now: noon + 3)
        let entries = try all.desk.log(limit: 10)
        #expect(entries.map(\.action) == [.revoked, .resumed, .suspended, .redeemed, .invited])
        #expect(entries.map(\.who) == ["Kim", "Lee", "Kim", DeskLogEntry.phone, "op"])
        #expect(entries.allSatisfy { $0.invitation == id && $0.detail == "Ada" })
        #expect(throws: Never.self) { try all.desk.checkLog() }
        // What cannot be done is not written down.
        #expect(throws: DeskError.otherState(id, .revoked)) { try all.desk.suspend(id, by: "Kim", now: noon) }
        #expect(throws: DeskError.noInvitation(99)) { try all.desk.revoke(99, by: "Kim", now: noon) }
        #expect(try all.desk.log(limit: 10).count == 5)
    }

    @Test func whatNoGateUnderstandsIsNobodysInvitation() throws {
        let all = try DeskFixture()
        func refused(_ change: (inout NewInvitation) -> Void) -> DeskError? {
            var wanted = NewInvitation(subject: "Ada", expires: noon + 1000)
            change(&wanted)
            do throws(DeskError) { _ = try all.desk.invite(wanted, by: "op", now: noon) } catch { return error }
            return nil
        }
        #expect(refused { _ in } == nil)
        #expect(refused { $0.audiences = ["tapstile:north/-/in"] } == nil)
        #expect(refused { $0.subject = "" } == .badName(""))
        #expect(refused { $0.subject = "a\nb" } == .badName("a\nb"))
        #expect(refused { $0.audiences = ["tapstile:south"] } == .badAudience("tapstile:south"))
        #expect(refused { $0.audiences = ["tapstile:north2"] } == .badAudience("tapstile:north2"))
        #expect(refused { $0.scope = [] } == .badCommand(""))
        #expect(refused { $0.scope = ["a b"] } == .badCommand("a b"))
        #expect(refused { $0.expires = noon } == .badTimes)
        #expect(refused { $0.expires = .max } == .badTimes)
        #expect(refused { $0.notBefore = noon + 1000 } == .badTimes)
        #expect(refused { $0.opensFor = 59 } == .badTimes)
        #expect(refused { $0.note = String(repeating: "a", count: 501) } == .badNote)
        #expect(refused { $0.audiences = (0..<17).map { "tapstile:north/-/\($0)" } } != nil)
        #expect(refused { $0.audiences = (0..<16).map { "tapstile:north/-/lane-of-a-long-name-\($0)" } }?.code == "token-too-long-for-tap")
    }

    @Test func aListIsInvitedWholeOrNotAtAll() throws {
        let all = try DeskFixture()
        let list = (0..<20).map { NewInvitation(subject: "Visitor \($0)", expires: noon + 1000) }
        #expect(throws: DeskError.badName("")) { try all.desk.invite(list + [NewInvitation(subject: "", expires: noon + 1000)], by: "op", now: noon) }
        #expect(try all.desk.invitations().isEmpty && all.desk.log(limit: 1).isEmpty)
        let made = try all.desk.invite(list, by: "op", now: noon)
        #expect(made.map(\.invitation.wanted.subject) == list.map(\.subject) && Set(made.map(\.code)).count == 20)
        #expect(try all.desk.begin(BeginRequest(code: made[7].code), now: noon).subject == "Visitor 7")
        #expect(try all.desk.log(limit: 100).count == 20)
    }

    @Test func invitationsAreListedInParts() throws {
        let all = try DeskFixture()
        for number in 0..<5 { _ = try all.invite("Visitor \(number % 2)") }
        #expect(try all.desk.invitations(InvitationFilter(limit: 2)).map(\.id) == [5, 4])
        #expect(try all.desk.invitations(InvitationFilter(before: 4, limit: 2)).map(\.id) == [3, 2])
        #expect(try all.desk.invitations(InvitationFilter(subject: "Visitor 1")).map(\.id) == [4, 2])
        #expect(try all.desk.invitations(InvitationFilter(state: .revoked)).isEmpty)
    }
}
