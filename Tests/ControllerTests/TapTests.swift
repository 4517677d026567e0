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

/// The whole tap with a link in process: every refusal by its true reason, and what the phone learns.
@Suite("A tap (T1, V1–V3, T7, T8)") final class TapTests {
    let site: TestSite
    let controller: Controller
    let events = EventLog()

    init() throws {
        site = try TestSite()
        // The longest wait there is: these tests are about what is recorded, not about how fast the disk is.
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0",
                           more: "[audit]\nwait-ms = 250\ndurable-within-ms = 2000")
        controller = try site.controller()
        let events = self.events
        controller.listen { events.add($0) }
        try site.publish(to: controller)
    }

    deinit { controller.stop() }

    @Test func anAdmittedPhoneIsGrantedAndTheRelayMoves() throws {
        let phone = try site.phone()
        #expect(controller.present(phone, at: "entry") == .done)
        #expect(phone.reason == .granted)
        #expect(events.relays == [true])
        let record = try #require(try controller.records().last)
        #expect(record["reason"]?.string == "granted")
        #expect(record["subject"]?.string == "ada")
        #expect(phone.outcome?.journalHead.map(Hex.encode) == record["hash"]?.string, "an outside party can notice a cut tail")
        #expect(record["evidence"]?.string?.isEmpty == false)
        controller.stop()
        #expect(events.relays == [true, false])
    }

    /// It is told apart from the next one by what it proves; without a pause of the lane's it would have passed twice.
    @Test func aPhoneThatIsLiftedALittleIsReadOnce() throws {
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        #expect(controller.present(try site.phone(key, token), at: "entry") == .done)
        let again = try site.phone(key, token).atOnce()
        #expect(controller.present(again, at: "entry") == .done)
        #expect(again.reason == .cooldownSuccess)
        let pulled = try site.phone(key, token).atOnce().pull(after: 1)
        #expect(controller.present(pulled, at: "entry") == .interrupted)
        #expect(!events.relays.dropFirst().contains(true))
        #expect(!events.all.contains { $0.kind == .indicator && ["denied", "wait"].contains($0.fields["indicator"]?.string) }, "nor is it shown anything for it")
        #expect(controller.present(try site.phone(key, token), at: "entry") == .done, "after its pause")
        #expect(events.reasons == ["granted", "cooldown-success", "card-removed", "granted"])
    }

    @Test func theNextPhoneIsServedThoughItComesAtOnce() throws {
        _ = controller.present(try site.phone(), at: "entry")
        let next = try site.phone().atOnce()
        #expect(controller.present(next, at: "entry") == .done)
        #expect(next.reason == .granted)
        // And the first one once more, at once after the other.
        let stranger = try site.phone { $0.audiences = ["tapstile:elsewhere"] }.atOnce()
        _ = controller.present(stranger, at: "entry")
        #expect(stranger.reason == .wrongAudience)
    }

    @Test func theTapIsThreeCommandsWithTheTokenByValue() throws {
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        // SELECT, EXCHANGE, GET RESPONSE for the second part of message_3, OUTCOME.
        #expect(phone.commands == 4)
    }

    @Test func anEventNamesNobodyAndNoWholeIdentifier() throws {
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey, subject: "ada.lovelace@example"))
        _ = controller.present(try site.phone(key, token), at: "entry")
        let lines = events.all.map { String(decoding: $0.line, as: UTF8.self) }.joined()
        #expect(!lines.contains("lovelace"))
        #expect(!lines.contains(Hex.encode(token.identifier.bytes)))
    }

    // Refusals after the proof: the phone is told why -------------------------------------------------

    /// Presents the phone; returns the reason that the phone learned.
    private func refusal(_ phone: TestPhone, _ reason: Reason, told: Bool = true) throws {
        #expect(controller.present(phone, at: "entry") == .done)
        #expect(events.reasons == [reason.rawValue])
        #expect(events.relays == [])
        if told {
            #expect(phone.reason == reason)
        } else {
            #expect(phone.result == .refused(.unspecified("refused")))
        }
    }

    @Test func notYetValid() throws { try refusal(site.phone { $0.notBefore += 3000 }, .notYetValid) }

    @Test func expired() throws { try refusal(site.phone { $0.notBefore -= 5000; $0.expiresAt -= 4000 }, .expired) }

    @Test func wrongAudience() throws { try refusal(site.phone { $0.audiences = ["tapstile:elsewhere"] }, .wrongAudience) }

    /// What a credential may run is the issuer's word; what a lane does is the installer's.
    @Test(arguments: ["maintenance", "lock-down", "hold-open"])
    func aTokenForSomethingElseThatIsAskedForByNameMovesNoRelay(command: String) throws {
        let key = try SigningKey.generate(.p256)
        var settings = PhoneSettings()
        settings.command = command
        try refusal(site.phone(key, site.token(site.claims(key.publicKey, scope: [command])), settings: settings), .commandNotAllowed)
    }

    @Test func scopeLacksCommand() throws { try refusal(site.phone { $0.scope = ["arm"] }, .scopeLacksCommand) }

    @Test(arguments: 0..<4) func revoked(way: Int) throws {
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        try site.publish([.revocation(token.revocations[way])], to: controller)
        try refusal(site.phone(key, token), .revoked)
    }

    // Refusals before the proof: all look the same outside ---------------------------------------------

    @Test func unknownIssuer() throws { try refusal(site.phone { $0.issuer = "elsewhere" }, .unknownIssuer, told: false) }

    @Test func badSignature() throws {
        let key = try SigningKey.generate(.p256)
        let forged = try site.token(site.claims(key.publicKey), signedBy: try SigningKey.generate(.p256))
        try refusal(site.phone(key, forged), .badSignature, told: false)
    }

    @Test func malformed() throws {
        let key = try SigningKey.generate(.p256)
        var raw = try site.token(site.claims(key.publicKey)).raw
        raw.append(0)
        let identity = PhoneIdentity(credential: .claims([0xA1, 0x02, 0x61, 0x78]), key: .signing(key), gates: try site.gates)
        try refusal(TestPhone(identity), .malformed, told: false)
    }

    @Test func unknownKey() throws {
        let key = try SigningKey.generate(.p256)
        let credential = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey, keyIdentifier: [7]), subject: "ada")
        try refusal(TestPhone(PhoneIdentity(credential: .claims(credential.raw), key: .signing(key), gates: try site.gates)),
                    .unknownKey, told: false)
    }

    @Test func badProof() throws {
        let token = try site.token(site.claims(try SigningKey.generate(.p256).publicKey))
        try refusal(site.phone(try SigningKey.generate(.p256), token), .badProof, told: false)
    }

    @Test func withoutSiteDataNobodyIsKnown() throws {
        let empty = try TestSite()
        let controller = try empty.controller()
        defer { controller.stop() }
        let events = EventLog()
        controller.listen { events.add($0) }
        let phone = try empty.phone()
        _ = controller.present(phone, at: "entry")
        #expect(events.reasons == ["no-trust-data"])
        #expect(phone.result == .refused(.unspecified("refused")))
    }

    // Enrolled keys (V3) ---------------------------------------------------------------------------------

    private func enrolled(_ key: SigningKey, kid: [UInt8] = [9, 9]) -> EnrolledKey {
        EnrolledKey(keyIdentifier: kid, key: key.publicKey, use: .sign, subject: "grace")
    }

    @Test func anEnrolledKeyOpensByKid() throws {
        let key = try SigningKey.generate(.p256)
        let known = enrolled(key)
        // Three others share its kid: which one it is, the proof says.
        let others = try (0..<3).map { _ in enrolled(try SigningKey.generate(.p256)) }
        try site.publish((others + [known]).map { .enrolled($0) }, to: controller)
        let phone = TestPhone(PhoneIdentity(credential: .keyIdentifier(known.keyIdentifier, claims: known.credential),
                                            key: .signing(key), gates: try site.gates))
        #expect(controller.present(phone, at: "entry") == .done)
        #expect(phone.reason == .granted)
        #expect(try controller.records().last?["subject"]?.string == "grace")
    }

    @Test func anEnrolledAgreementKeyOpensByMethod3() throws {
        let key = try AgreementKey.generate(.p256)
        let known = EnrolledKey(keyIdentifier: [1], key: key.publicKey, use: .agree, subject: "grace")
        try site.publish([.enrolled(known)], to: controller)
        let phone = TestPhone(PhoneIdentity(credential: .claims(known.credential), key: .agreement(key), gates: try site.gates),
                              PhoneSettings(gateSigns: false))
        #expect(controller.present(phone, at: "entry") == .done)
        #expect(phone.reason == .granted)
    }

    @Test func aTokenBesideItsKeyOpens() throws {
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        let shown = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey), subject: "ada")
        let phone = TestPhone(PhoneIdentity(credential: .claims(shown.raw), key: .signing(key), accompanyingToken: token.raw,
                                            gates: try site.gates))
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted)
    }

    @Test func aTokenBesideAnotherKeyOpensNothing() throws {
        let (mine, theirs) = (try SigningKey.generate(.p256), try SigningKey.generate(.p256))
        let token = try site.token(site.claims(theirs.publicKey))
        let shown = ConfirmedKeyCredential(key: COSEKey(key: mine.publicKey), subject: "ada")
        let phone = TestPhone(PhoneIdentity(credential: .claims(shown.raw), key: .signing(mine), accompanyingToken: token.raw,
                                            gates: try site.gates))
        try refusal(phone, .unknownKey, told: false)
    }

    @Test func whatIsAgainstATokenComesBeforeTheKeyBesideIt() throws {
        let (mine, theirs) = (try SigningKey.generate(.p256), try SigningKey.generate(.p256))
        let token = try site.token(site.claims(theirs.publicKey))
        try site.publish([.revocation(token.revocations[0])], to: controller)
        let shown = ConfirmedKeyCredential(key: COSEKey(key: mine.publicKey), subject: "ada")
        let phone = TestPhone(PhoneIdentity(credential: .claims(shown.raw), key: .signing(mine), accompanyingToken: token.raw,
                                            gates: try site.gates))
        try refusal(phone, .revoked, told: false)
    }
}
