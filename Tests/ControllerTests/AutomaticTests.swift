import Credentials
import Cryptography
import PhoneProtocol
import Testing
import VirtualPhone

@testable import Controller

/// Commands that run by themselves can be switched off for a lane; those that a person starts stay (T11).
@Suite("A lane that wants commands to be started by hand (T11)") struct AutomaticTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    private func reason(lane: String, isManual: Bool) throws -> Reason? {
        try site.configure(lane: "cooldown-success-ms = 0\n\(lane)")
        let controller = try site.controller()
        try site.publish(to: controller)
        let key = try SigningKey.generate(.p256)
        var settings = PhoneSettings()
        settings.trigger = isManual ? .manual : .automatic
        let phone = try site.phone(key, site.token(site.claims(key.publicKey)), settings: settings)
        _ = controller.present(phone, at: "entry")
        return phone.reason
    }

    @Test func aPhoneThatRunsByItselfIsRefused() throws {
        #expect(try reason(lane: "automatic = false", isManual: false) == .commandNotAllowed)
    }

    @Test func aCommandStartedByHandIsRun() throws {
        #expect(try reason(lane: "automatic = false", isManual: true) == .granted)
    }

    @Test func byDefaultPhonesRunByThemselves() throws {
        #expect(try reason(lane: "", isManual: false) == .granted)
    }
}
