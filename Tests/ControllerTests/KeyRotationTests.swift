import Conversations
import Credentials
import Cryptography
import Encoding
import Foundation
import Service
import Testing
import VirtualPhone

@testable import Controller

/// A gate changes its keys by the clock, and nobody stays outside.
@Suite("A gate that changes its keys") struct KeyRotationTests {
    static let day: Int64 = 86400
    let site: TestSite
    let nextSigning: SigningKey
    let nextAgreement: AgreementKey

    init() throws {
        site = try TestSite()
        nextSigning = try SigningKey.generate(.p256)
        nextAgreement = try AgreementKey.generate(.p256)
        try site.write(KeyFile(role: .gateSigning, material: .signing(nextSigning)).text(), "next-signing.key")
        try site.write(KeyFile(role: .gateAgreement, material: .agreement(nextAgreement)).text(), "next-agreement.key")
    }

    /// Says in the configuration that the next keys come into force so many seconds from now.
    private func announce(in seconds: Int64, _ more: String = "") throws {
        try site.configure(gate: """
            next-signing-key = "\(site.path("next-signing.key"))"
            next-agreement-key = "\(site.path("next-agreement.key"))"
            switch-at = "\(UTCText.make(seconds: Self.now + seconds))"
            \(more)
            """, lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0")
    }

    static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    private func known(_ keys: [PublicKey]) throws -> [KnownGate] {
        try keys.map { try KnownGate(claims: GateCredential(site: TestSite.name, key: $0).claims) }
    }

    private func tap(_ gate: Controller, knowing keys: [PublicKey]) throws -> TestPhone {
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        let phone = try TestPhone(PhoneIdentity(credential: .token(token.raw), key: .signing(key), gates: known(keys)))
        _ = gate.present(phone, at: "entry")
        return phone
    }

    private func thumbprint(_ gate: Controller, _ use: String, _ which: String) -> String? {
        gate.status["gateKeys"]?[use]?[which]?["thumbprint"]?.string
    }

    @Test func beforeTheDateTheOldKeysServeAndAfterItTheNewOnes() throws {
        try announce(in: Self.day)
        let gate = try site.controller()
        try site.publish(to: gate)
        let old = site.gateSigning.publicKey, new = nextSigning.publicKey
        #expect(try tap(gate, knowing: [old]).reason == .granted)
        #expect(try tap(gate, knowing: [old, new]).reason == .granted)
        #expect(try tap(gate, knowing: [new]).result == .stopped(.unknownGate), "a new phone keeps both until all gates have switched")
        #expect(thumbprint(gate, "signing", "inForce") == Hex.encode(old.thumbprint))
        #expect(thumbprint(gate, "signing", "next") == Hex.encode(new.thumbprint))
        #expect(gate.status["gateKeys"]?["switched"]?.bool == false)

        try announce(in: -1)
        _ = try gate.reload()
        #expect(try tap(gate, knowing: [new]).reason == .granted)
        #expect(try tap(gate, knowing: [old, new]).reason == .granted)
        #expect(try tap(gate, knowing: [old]).result == .stopped(.unknownGate))
        #expect(thumbprint(gate, "signing", "inForce") == Hex.encode(new.thumbprint))
        #expect(thumbprint(gate, "agreement", "inForce") == Hex.encode(nextAgreement.publicKey.thumbprint))
        #expect(thumbprint(gate, "signing", "next") == nil)
        #expect(gate.status["gateKeys"]?["switched"]?.bool == true)
        let told = try gate.records().compactMap { $0["detail"]?["what"]?.string }
        #expect(told.filter { $0 == "gate-keys-changed" }.count == 1)
    }

    /// The taps go by the clock, not by anything that has to happen at the date.
    @Test func theDatePassesWhileTheGateRuns() throws {
        try announce(in: 1)
        let gate = try site.controller()
        try site.publish(to: gate)
        let ring = gate.layout.withLock { $0.identity.ring }
        let at = try #require(ring.switchAt)
        #expect(thumbprint(gate, "signing", "inForce") == Hex.encode(site.gateSigning.publicKey.thumbprint) || Self.now >= at)
        while Self.now < at { Thread.sleep(forTimeInterval: 0.05) }
        #expect(try tap(gate, knowing: [nextSigning.publicKey]).reason == .granted)
    }

    @Test func aNextKeyThatCannotBeUsedChangesNothing() throws {
        try FileManager.default.removeItem(atPath: site.path("next-signing.key"))
        try announce(in: -1)
        let gate = try site.controller()
        try site.publish(to: gate)
        #expect(gate.status["keys"]?.array?.map { "\($0["key"]?.string ?? "") \($0["code"]?.string ?? "")" }
            == ["gate.next-signing-key key-file-missing"])
        #expect(try tap(gate, knowing: [site.gateSigning.publicKey]).reason == .granted)
        #expect(thumbprint(gate, "agreement", "inForce") == Hex.encode(nextAgreement.publicKey.thumbprint), "the other one is no worse for it")
    }

    /// What an installer mistypes on one of forty gates is refused there and then.
    @Test func aReloadThatNamesANextKeyThatIsNotThereIsRefused() throws {
        let gate = try site.controller()
        try FileManager.default.removeItem(atPath: site.path("next-signing.key"))
        try announce(in: Self.day)
        #expect { _ = try gate.reload() } throws: { "\($0)".contains("key-file-missing") }
        #expect(gate.status["gateKeys"]?["switchAt"] == nil, "everything stays as it was")
    }

    @Test func aKeyOfTheWrongRoleIsNoNextKey() throws {
        try site.write(KeyFile(role: .gateIssuer, material: .signing(nextSigning)).text(), "next-signing.key")
        try announce(in: -1)
        let gate = try site.controller()
        #expect(gate.status["keys"]?.array?.compactMap { $0["code"]?.string } == ["key-file-role"])
        #expect(thumbprint(gate, "signing", "inForce") == Hex.encode(site.gateSigning.publicKey.thumbprint))
    }
}
