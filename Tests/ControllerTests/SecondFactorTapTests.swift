import ControlProtocol
import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Readers
import SiteData
import Testing
import VirtualPhone

@testable import Controller

/// The whole tap at a lane that wants a second factor.
@Suite("A second factor at the lane (V6)") final class SecondFactorTapTests {
    private let site: TestSite
    private let events = EventLog()

    init() throws { site = try TestSite() }

    private func gate(_ lane: String) throws -> Controller {
        try site.configure(lane: lane)
        let controller = try site.controller()
        let events = self.events
        controller.listen { events.add($0) }
        try site.publish(to: controller)
        return controller
    }

    private static let always = "second-factor = \"always\"\ncooldown-success-ms = 0"

    @Test func onlyATokenOfAnAttestedKeyOpens() throws {
        let controller = try gate(Self.always)
        let plain = try site.phone(), attested = try site.phone { $0.userVerification = true }
        _ = controller.present(plain, at: "entry")
        _ = controller.present(attested, at: "entry")
        #expect(plain.reason == .secondFactor && plain.outcome?.result == .refused)
        #expect(attested.reason == .granted)
        #expect(plain.sent?.wantsSecondFactor == true && attested.sent?.wantsSecondFactor == true)
        let records = try controller.records().filter { $0["subject"] != nil }
        #expect(records.map { $0["reason"]?.string } == ["second-factor", "granted"])
        #expect(events.all.first { $0.fields["reason"]?.string == "second-factor" }?.fields["rule"]?.string == "second-factor")
    }

    /// What the phone says about itself is of no account.
    @Test func noFlagOfThePhoneIsASecondFactor() throws {
        let controller = try gate(Self.always)
        let key = try SigningKey.generate(.p256)
        let phone = try site.phone(key, site.token(site.claims(key.publicKey)),
                                   settings: PhoneSettings(trigger: .manual, isForeground: true))
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .secondFactor)
    }

    /// The default failure cooldown of 500 ms is on: it must not be started, nor one that runs be extended.
    @Test func itStartsNoCooldown() throws {
        let controller = try gate("second-factor = \"always\"\ncooldown-failure-ms = 60000")
        for _ in 0..<2 { _ = controller.present(try site.phone(), at: "entry") }
        let attested = try site.phone { $0.userVerification = true }
        _ = controller.present(attested, at: "entry")
        #expect(attested.reason == .granted)
        #expect(events.reasons == ["second-factor", "second-factor", "granted"])
    }

    @Test func itIsToldAlsoWhileACooldownRuns() throws {
        let controller = try gate("second-factor = \"always\"\ncooldown-success-ms = 60000")
        let attested = try site.phone { $0.userVerification = true }
        _ = controller.present(attested, at: "entry")
        let plain = try site.phone()
        _ = controller.present(plain, at: "entry")
        #expect(plain.reason == .secondFactor)
        #expect(plain.outcome?.retryAfterMilliseconds == nil)
    }

    @Test func whoeverWouldNeverPassIsToldThatInstead() throws {
        let controller = try gate(Self.always)
        let phone = try site.phone { $0.audiences = ["tapstile:elsewhere"] }
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .wrongAudience)
    }

    @Test func withoutTheSettingNobodyIsAskedForIt() throws {
        let controller = try gate("")
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .granted)
        #expect(phone.sent?.wantsSecondFactor == false)
    }

    // Enrolled keys --------------------------------------------------------------------------------------

    @Test(arguments: [true, false]) func anEnrolledKeyOpensIfItsRecordSaysSo(attested: Bool) throws {
        let controller = try gate(Self.always)
        let key = try SigningKey.generate(.p256)
        let known = EnrolledKey(keyIdentifier: [9], key: key.publicKey, use: .sign, subject: "grace", userVerification: attested)
        try site.publish([.enrolled(known)], to: controller)
        for credential in [PhoneCredential.keyIdentifier([9], claims: known.credential), .claims(known.credential)] {
            let phone = TestPhone(PhoneIdentity(credential: credential, key: .signing(key), gates: try site.gates))
            _ = controller.present(phone, at: "entry")
            #expect(phone.reason == (attested ? .granted : .secondFactor))
        }
    }

    // By reference and beside a claims set ---------------------------------------------------------------

    @Test func aTokenByReferenceIsHeldAgainstItEachTime() throws {
        let controller = try gate("cooldown-success-ms = 0")
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        func tap() throws -> TestPhone {
            let phone = TestPhone(PhoneIdentity(credential: .tokenReference(token.raw), key: .signing(key), gates: try site.gates))
            _ = controller.present(phone, at: "entry")
            return phone
        }
        #expect(try tap().reason == .granted)
        try site.configure(lane: Self.always)
        _ = try controller.reload()
        let phone = try tap()
        #expect(phone.reason == .secondFactor)
        #expect(phone.commands == 3, "the gate knows the token")
    }

    // Schedules -----------------------------------------------------------------------------------------

    private static let scheduled = "second-factor = \"scheduled\"\nsecond-factor-schedule = \"night\""

    @Test func aScheduleThatTheGateDoesNotHaveIsInForceAndIsNamed() throws {
        let controller = try gate(Self.scheduled)
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.reason == .secondFactor)
        let warnings = controller.status["lanes"]?.array?.first?["warnings"]?.array ?? []
        #expect(warnings.map { $0["code"]?.string } == ["schedule-unknown"])
        #expect(warnings.first?["message"]?.string?.contains("night") == true)
    }

    @Test func nothingIsNamedWhereNothingIsMissing() throws {
        let controller = try gate(Self.always)
        #expect(controller.status["lanes"]?.array?.first?["warnings"]?.array?.isEmpty == true)
    }
}
