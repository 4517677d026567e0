import Credentials
import Cryptography
import Encoding
import Foundation
import PhoneProtocol
import Service
import Testing
import VirtualPhone
import Waits

@testable import Controller
@testable import Tap

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
        try waitUntil("the date of the next keys, \(at)") { Self.now } fits: { $0 >= at }
        #expect(try tap(gate, knowing: [nextSigning.publicKey]).reason == .granted)
    }

    /// Nobody saw the date pass: the journal says all the same with which keys the gate came back.
    @Test func aGateThatWasOffAtTheDateStartsWithTheNextKeys() throws {
        try announce(in: -1)
        let gate = try site.controller()
        let started = try #require(try gate.records().last { $0["detail"]?["what"] == "started" })
        let keys = [nextSigning.publicKey, nextAgreement.publicKey].map { Hex.encode($0.thumbprint) }
        #expect(started["detail"]?["keys"]?.string == keys.joined(separator: " "))
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

/// A key was stolen: the gate shows the new one by value, and phones that know the gate issuer believe it at once.
@Suite("A gate whose key is shown by value") struct KeyByValueTests {
    let site: TestSite
    let issuerKey: SigningKey
    let issuer: GateIssuer

    init() throws {
        site = try TestSite()
        issuerKey = try SigningKey.generate(.p256)
        issuer = GateIssuer(site: TestSite.name, name: "demo-gates", key: issuerKey.publicKey)
    }

    private static var now: Int64 { KeyRotationTests.now }

    private func vouch(for key: PublicKey, use: KeyUse, by signer: SigningKey, site name: String = TestSite.name, from: Int64 = -100,
                       to: Int64 = 100) throws -> [UInt8] {
        try GateToken.issue(
            GateTokenClaims(issuer: "demo-gates", site: name, notBefore: Self.now + from, expiresAt: Self.now + to, cti: [1],
                            confirmationKey: COSEKey(key: key, use: use)), key: signer).raw
    }

    private func gate(_ credential: [UInt8], agreement: [UInt8]? = nil) throws -> Controller {
        try site.write(credential, "sign.cwt")
        var more = "signing-credential = \"\(site.path("sign.cwt"))\""
        if let agreement {
            try site.write(agreement, "agree.cwt")
            more += "\nagreement-credential = \"\(site.path("agree.cwt"))\""
        }
        try site.configure(gate: more, lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0")
        let gate = try site.controller()
        try site.publish(to: gate)
        return gate
    }

    /// A phone that has never seen the gate's keys.
    private func stranger(issuers: [GateIssuer], gates: [KnownGate] = [], agrees: Bool = false) throws -> TestPhone {
        let key: AuthenticationKey = agrees ? .agreement(try AgreementKey.generate(.p256)) : .signing(try SigningKey.generate(.p256))
        let token = try site.token(site.claims(key.publicKey))
        return TestPhone(
            PhoneIdentity(credential: .token(token.raw), key: key, gates: gates, gateIssuers: issuers.map(KnownGateIssuer.init)),
            PhoneSettings(gateSigns: !agrees, time: Self.now))
    }

    private func shown(_ gate: Controller) -> String? { gate.status["gateKeys"]?["signing"]?["inForce"]?["shown"]?.string }
    private func problems(_ gate: Controller) -> [String] { (gate.status["keys"]?.array ?? []).compactMap { $0["code"]?.string } }

    @Test func aPhoneThatKnowsTheIssuerBelievesIt() throws {
        let gate = try gate(vouch(for: site.gateSigning.publicKey, use: .sign, by: issuerKey),
                            agreement: vouch(for: site.gateAgreement.publicKey, use: .agree, by: issuerKey))
        #expect(shown(gate) == "value")
        for agrees in [false, true] {
            let phone = try stranger(issuers: [issuer], agrees: agrees)
            _ = gate.present(phone, at: "entry")
            #expect(phone.reason == .granted, "agrees: \(agrees)")
        }
    }

    @Test func nobodyElsesSignatureMakesItAGate() throws {
        let gate = try gate(vouch(for: site.gateSigning.publicKey, use: .sign, by: site.issuerKey))
        let phone = try stranger(issuers: [issuer])
        _ = gate.present(phone, at: "entry")
        #expect(phone.result == .stopped(.gateToken(.signature)), "the issuer of tokens makes no gates (V3)")
        let nobody = try stranger(issuers: [])
        _ = gate.present(nobody, at: "entry")
        #expect(nobody.result == .stopped(.unknownGate))
    }

    /// A credential that is over is the worse offer: then the key is named, for whoever knows it by now.
    @Test func whenItIsOverTheKeyIsNamedAgain() throws {
        let gate = try gate(vouch(for: site.gateSigning.publicKey, use: .sign, by: issuerKey, from: -100, to: -1))
        #expect(shown(gate) == "reference")
        #expect(gate.status["gateKeys"]?["warnings"]?.array?.compactMap { $0["code"]?.string } == ["gate-token-expired"])
        let phone = try stranger(issuers: [issuer], gates: site.gates)
        _ = gate.present(phone, at: "entry")
        #expect(phone.reason == .granted)
    }

    /// What phones would refuse is said when it is brought, and the gate goes on by reference.
    @Test func aCredentialThatIsNoneIsNamedWithItsCause() throws {
        let own = site.gateSigning.publicKey
        let bad: [([UInt8], String)] = [
            (try vouch(for: SigningKey.generate(.p256).publicKey, use: .sign, by: issuerKey), "gate-token-other-key"),
            (try vouch(for: own, use: .agree, by: issuerKey), "gate-token-other-key"),
            (try vouch(for: own, use: .sign, by: issuerKey, site: "elsewhere"), "gate-token-other-site"),
            (try site.token(site.claims(own)).raw, "gate-token-header"), ([1], "cose-not-sign1")
        ]
        for (credential, code) in bad {
            let gate = try gate(credential)
            #expect(problems(gate) == [code])
            #expect(shown(gate) == "reference")
            let phone = try stranger(issuers: [], gates: site.gates)
            _ = gate.present(phone, at: "entry")
            #expect(phone.reason == .granted, "\(code)")
            gate.stop()
        }
    }
}

/// The keys of the gate itself are nobody's (V3).
@Suite("A phone that comes with a key of the gate") struct GateKeyAsPersonTests {
    /// Even if an issuer of the site made a token for it. (Whoever shows today's key must not be believed by the gate's
    /// own phones either: Tests/PhoneProtocolTests.)
    @Test func theKeyThatIsNotInForceYetOpensNothing() throws {
        let site = try TestSite()
        let nextSigning = try SigningKey.generate(.p256), nextAgreement = try AgreementKey.generate(.p256)
        try site.write(KeyFile(role: .gateSigning, material: .signing(nextSigning)).text(), "next-signing.key")
        try site.write(KeyFile(role: .gateAgreement, material: .agreement(nextAgreement)).text(), "next-agreement.key")
        try site.configure(gate: """
            next-signing-key = "\(site.path("next-signing.key"))"
            next-agreement-key = "\(site.path("next-agreement.key"))"
            switch-at = "\(UTCText.make(seconds: KeyRotationTests.now + 86400))"
            """, lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0")
        let gate = try site.controller()
        let events = EventLog()
        gate.listen { events.add($0) }
        try site.publish(to: gate)
        for key: AuthenticationKey in [.signing(nextSigning), .agreement(nextAgreement)] {
            let token = try site.token(site.claims(key.publicKey))
            let phone = try TestPhone(PhoneIdentity(credential: .token(token.raw), key: key, gates: site.gates),
                                      PhoneSettings(gateSigns: key.signs))
            _ = gate.present(phone, at: "entry")
            #expect(phone.reason == nil)
        }
        #expect(events.reasons == ["wrong-role", "wrong-role"])
    }
}
