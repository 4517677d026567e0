import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Foundation
import PhoneProtocol
import Readers
import SiteData
import Testing
import VirtualPhone

@testable import Controller

/// The whole tap with a token that the phone only names.
@Suite("A token by reference (V2, V9)") final class ReferenceTests {
    private static let lane = "cooldown-success-ms = 0\ncooldown-failure-ms = 0"
    private static let more = "[audit]\nwait-ms = 250\ndurable-within-ms = 2000"
    /// SELECT, message_2, OUTCOME.
    private static let known = 3
    /// SELECT, message_2, error 3, message_2 again, GET RESPONSE, OUTCOME.
    private static let shownAfterAll = 6

    let site: TestSite
    private var controller: Controller
    private let events = EventLog()
    private let key: SigningKey
    private var token: Token

    init() throws {
        site = try TestSite()
        try site.configure(lane: Self.lane, more: Self.more)
        key = try SigningKey.generate(.p256)
        token = try site.token(site.claims(key.publicKey))
        controller = try site.controller()
        listen()
        try site.publish(to: controller)
    }

    private func listen() {
        let events = self.events
        controller.listen { events.add($0) }
    }

    private func phone(_ token: Token? = nil, key: SigningKey? = nil, settings: PhoneSettings = PhoneSettings()) throws -> TestPhone {
        TestPhone(PhoneIdentity(credential: .tokenReference((token ?? self.token).raw), key: .signing(key ?? self.key),
                                gates: try site.gates), settings)
    }

    /// Taps by reference: the phone, once it has its result.
    private func tap(_ token: Token? = nil, key: SigningKey? = nil, settings: PhoneSettings = PhoneSettings()) throws -> TestPhone {
        let phone = try phone(token, key: key, settings: settings)
        _ = controller.present(phone, at: "entry")
        return phone
    }

    private func grant(_ token: Token? = nil, key: SigningKey? = nil) throws -> Int {
        let phone = try tap(token, key: key)
        #expect(phone.reason == .granted)
        return phone.commands
    }

    @Test func aTokenOnceShownIsKnownByItsReference() throws {
        _ = controller.present(try site.phone(key, token), at: "entry")
        #expect(try grant() == Self.known)
        #expect(try grant() == Self.known)
        let records = try controller.records().suffix(2)
        for record in records {
            #expect(record["subject"]?.string == "ada")
            #expect(record["credential"]?.string == Hex.encode(token.identifier.bytes))
            #expect(record["evidence"]?.string?.isEmpty == false)
        }
    }

    @Test func anUnknownOneIsShownInTheSamePresentation() throws {
        #expect(try grant() == Self.shownAfterAll)
        #expect(try grant() == Self.known)
        #expect(events.reasons == ["granted", "granted"])
    }

    /// Its second beginning is an attempt of its own; the first one has its end in the journal too.
    @Test func bothBeginningsAreAccountedFor() throws {
        #expect(try grant() == Self.shownAfterAll)
        _ = try controller.records()
        controller.stop()
        let again = try site.controller()
        let what = try again.records().compactMap { $0["reason"]?.string }
        #expect(!what.contains("outcome-unknown"), "no attempt was left open")
    }

    @Test func itsKeyMayAlsoAgree() throws {
        let agreement = try AgreementKey.generate(.p256)
        let token = try site.token(site.claims(agreement.publicKey))
        // Without a signature message_3 is one response, also with the token in it.
        for commands in [Self.shownAfterAll - 1, Self.known] {
            let phone = TestPhone(PhoneIdentity(credential: .tokenReference(token.raw), key: .agreement(agreement), gates: try site.gates),
                                  PhoneSettings(gateSigns: false))
            _ = controller.present(phone, at: "entry")
            #expect(phone.reason == .granted)
            #expect(phone.commands == commands)
        }
    }

    @Test func oneShownBesideItsKeyIsKnownToo() throws {
        let shown = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey), subject: "ada")
        let beside = TestPhone(PhoneIdentity(credential: .claims(shown.raw), key: .signing(key), accompanyingToken: token.raw,
                                             gates: try site.gates))
        _ = controller.present(beside, at: "entry")
        #expect(beside.reason == .granted)
        #expect(try grant() == Self.known)
    }

    // What makes it unknown ------------------------------------------------------------------------------

    @Test func everyImportMakesItUnknown() throws {
        #expect(try grant() == Self.shownAfterAll)
        try site.publish(to: controller)
        #expect(try grant() == Self.shownAfterAll)
        #expect(try grant() == Self.known)
    }

    @Test func aRestartMakesItUnknown() throws {
        #expect(try grant() == Self.shownAfterAll)
        controller.stop()
        controller = try site.controller()
        #expect(try grant() == Self.shownAfterAll)
        #expect(try grant() == Self.known)
    }

    @Test func aReloadDoesNotButForItsOwnBound() throws {
        #expect(try grant() == Self.shownAfterAll)
        _ = try controller.reload()
        #expect(try grant() == Self.known)
        try site.configure(lane: Self.lane, trust: "token-cache = 0", more: Self.more)
        _ = try controller.reload()
        for _ in 0..<2 { #expect(try grant() == Self.shownAfterAll) }
        try site.configure(lane: Self.lane, trust: "token-cache = 1", more: Self.more)
        _ = try controller.reload()
        #expect(try grant() == Self.shownAfterAll)
        #expect(try grant() == Self.known)
        let (otherKey, other) = try another()
        #expect(try grant(other, key: otherKey) == Self.shownAfterAll)
        #expect(try grant() == Self.shownAfterAll, "the one place is taken")
    }

    private func another() throws -> (SigningKey, Token) {
        let key = try SigningKey.generate(.p256)
        return (key, try site.token(site.claims(key.publicKey, subject: "grace")))
    }

    @Test func anotherIssuersKeyUnderTheSameNameMakesItWorthless() throws {
        #expect(try grant() == Self.shownAfterAll)
        let other = try TestSite()
        try site.publish(issuer: other.issuerKey.publicKey, to: controller)
        let phone = try tap()
        #expect(phone.result == .refused(.unspecified("refused")))
        #expect(events.reasons.last == "bad-signature")
    }

    // Every use asks everything again (V9) -----------------------------------------------------------------

    @Test(arguments: 0..<4) func aRevokedOneIsToldSoAndIsNotKept(way: Int) throws {
        #expect(try grant() == Self.shownAfterAll)
        try site.publish([.revocation(token.revocations[way])], to: controller)
        for _ in 0..<2 {
            let phone = try tap()
            #expect(phone.reason == .revoked)
            #expect(phone.commands == Self.shownAfterAll)
        }
        #expect(events.relays.count { $0 } == 1)
        #expect(controller.parts.tokens.load.count == 0)
    }

    @Test func theCommandIsHeldAgainstItsScope() throws {
        #expect(try grant() == Self.shownAfterAll)
        let phone = try tap(settings: PhoneSettings(command: "hold"))
        #expect(phone.reason == .scopeLacksCommand)
        #expect(phone.commands == Self.known)
    }

    @Test func thePlaceIsHeldAgainstItsAudience() throws {
        token = try site.token(site.claims(key.publicKey, audience: "tapstile:demo/-/main"))
        #expect(try grant() == Self.shownAfterAll)
        try site.configure(lane: "zone = \"hall\"\n\(Self.lane)", more: Self.more)
        _ = try controller.reload()
        let phone = try tap()
        #expect(phone.reason == .wrongAudience)
        #expect(phone.commands == Self.known)
    }

    // Who gets in, and what a stranger learns ------------------------------------------------------------

    @Test func aTokenWhosePhoneDidNotProveItselfIsNotKept() throws {
        let thief = try SigningKey.generate(.p256)
        _ = controller.present(try site.phone(thief, token), at: "entry")
        #expect(events.reasons == ["bad-proof"])
        #expect(controller.parts.tokens.load.count == 0)
    }

    @Test func aTokenThatDoesNotVerifyIsNotKept() throws {
        for change in [{ $0.expiresAt -= 4000; $0.notBefore -= 5000 }, { $0.audiences = ["tapstile:elsewhere"] }] as [(inout TokenClaims) -> Void] {
            _ = controller.present(try site.phone(change), at: "entry")
        }
        #expect(events.reasons == ["expired", "wrong-audience"])
        #expect(controller.parts.tokens.load.count == 0)
    }

    /// What the thief of a reference sees of it, and what somebody sees who has made one up, are the same bytes.
    @Test func aStolenReferenceTellsNothing() throws {
        #expect(try grant() == Self.shownAfterAll)
        let thief = try SigningKey.generate(.p256)
        let stolen = try tap(key: thief)
        let madeUp = try tap(try another().1, key: thief)
        #expect(events.reasons.suffix(2) == ["bad-proof", "bad-proof"])
        #expect(stolen.result == .refused(.unspecified("refused")))
        for phone in [stolen, madeUp] {
            let told = phone.steps.filter { $0.command[1] == PhoneProtocolProfile.exchangeInstruction && $0.command[2] == 1 }.map(\.command)
            #expect(told.count == 2)
            #expect(told.first == stolen.steps.first { $0.command[1] == PhoneProtocolProfile.exchangeInstruction && $0.command[2] == 1 }?.command)
        }
        #expect(stolen.steps.map(\.command.count) == madeUp.steps.map(\.command.count))
        #expect(try grant() == Self.known, "the owner's is untouched")
    }

    /// A key that signs, used to agree: the same error 3, and the true reason in the journal.
    @Test func aReferenceWithAMethodThatDoesNotFitLooksTheSame() throws {
        #expect(try grant() == Self.shownAfterAll)
        let thief = try AgreementKey.generate(.p256)
        let phone = TestPhone(PhoneIdentity(credential: .tokenReference(token.raw), key: .agreement(thief), gates: try site.gates),
                              PhoneSettings(gateSigns: false))
        _ = controller.present(phone, at: "entry")
        #expect(phone.result == .refused(.unspecified("refused")))
    }

    // References that collide ----------------------------------------------------------------------------

    private func enrolled(_ key: SigningKey) -> EnrolledKey {
        EnrolledKey(keyIdentifier: token.identifier.reference, key: key.publicKey, use: .sign, subject: "grace")
    }

    @Test func aTokenAndEnrolledKeysMayShareAReference() throws {
        let keys = try (0..<3).map { _ in try SigningKey.generate(.p256) }
        try site.publish(keys.map { .enrolled(enrolled($0)) }, to: controller)
        #expect(try grant() == Self.shownAfterAll)
        #expect(try grant() == Self.known)
        for key in keys {
            let known = enrolled(key)
            let phone = TestPhone(PhoneIdentity(credential: .keyIdentifier(known.keyIdentifier, claims: known.credential),
                                                key: .signing(key), gates: try site.gates))
            _ = controller.present(phone, at: "entry")
            #expect(phone.reason == .granted)
            #expect(phone.commands == Self.known)
        }
    }

    /// Of four enrolled keys none gives way: the token goes by value.
    @Test func fourCandidatesAreTriedAndEnrolledOnesFirst() throws {
        let keys = try (0..<4).map { _ in try SigningKey.generate(.p256) }
        try site.publish(keys.map { .enrolled(enrolled($0)) }, to: controller)
        for _ in 0..<2 { #expect(try grant() == Self.shownAfterAll) }
        let known = enrolled(keys[3])
        let phone = TestPhone(PhoneIdentity(credential: .keyIdentifier(known.keyIdentifier, claims: known.credential),
                                            key: .signing(keys[3]), gates: try site.gates))
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted)
        #expect(phone.commands == Self.known)
    }

    /// The bytes are part of the proof: another form of the same token is shown once, and kept from then on.
    @Test func anotherFormOfTheSameTokenIsShownOnce() throws {
        #expect(try grant() == Self.shownAfterAll)
        let other = try Token.issue(token.claims, keyIdentifier: [1, 2], key: site.issuerKey)
        #expect(other.identifier == token.identifier)
        #expect(try grant(other) == Self.shownAfterAll)
        #expect(try grant(other) == Self.known)
        #expect(controller.parts.tokens.load.count == 1)
    }
}
