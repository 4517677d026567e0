import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Readers
import SiteData
import Testing
import VirtualPhone

@testable import Controller

/// What the whole gate does when somebody brings its own key, another lane's answer or an old ephemeral key.
@Suite("Attack: on the whole gate (V3)") final class GateAttackTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    private static let side = """
        [[lane]]
        name = "side"
        [lane.relay]
        chip = "simulated"
        line = 11
        [[reader]]
        name = "other"
        lane = "side"
        [reader.match]
        name = "Another Reader"
        """

    private func gate() throws -> Controller {
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0", more: Self.side)
        let controller = try site.controller()
        return controller
    }

    /// A gate's key has been stolen, and a token made for it.
    @Test(arguments: [true, false]) func aGatesKeyIsNoPersons(signs: Bool) throws {
        let controller = try gate()
        try site.publish(to: controller)
        let stolen = signs ? site.gateSigning.publicKey : site.gateAgreement.publicKey
        let token = try site.token(site.claims(stolen))
        let own = OwnCredential(
            identifier: CredentialIdentifier(token: token.raw), credential: token.raw,
            key: signs ? .signing(site.gateSigning) : .agreement(site.gateAgreement))
        let phone = HostilePhone(own, method: signs ? .bothSign : .bothAgree, gates: try site.gatePeers)
        _ = controller.present(phone, at: "entry")
        #expect(phone.refusal == .unspecified("refused"))
        #expect(try controller.records().allSatisfy { $0["reason"]?.string != "granted" })
    }

    /// The answer for one lane is brought to the other, while both wait for one.
    @Test func anotherLanesAnswerOpensNothing() throws {
        let controller = try gate()
        try site.publish(to: controller)
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        let own = OwnCredential(identifier: CredentialIdentifier(token: token.raw), credential: token.raw, key: .signing(key))
        let phone = HostilePhone(own, gates: try site.gatePeers) { [PhoneRequest(carrier: $0.carrier, lane: "side").item] }
        let events = EventLog()
        controller.listen { events.add($0) }
        _ = controller.present(phone, at: "entry")
        #expect(events.reasons == ["wrong-lane"])
        #expect(events.relays.isEmpty)
        _ = controller.present(phone, at: "other")
        #expect(events.reasons == ["wrong-lane", "granted"], "the lane that it named")
    }

    /// No two message_2 of a gate have the same ephemeral key, in one presentation or in many, at one lane or two, in
    /// whatever suites.
    @Test func noEphemeralKeyServesTwice() throws {
        let controller = try gate()
        try site.publish(to: controller)
        let key = try SigningKey.generate(.p256)
        let token = try site.token(site.claims(key.publicKey))
        var points: [[UInt8]] = []
        for round in 0..<30 {
            let own = OwnCredential(
                identifier: CredentialIdentifier(keyIdentifier: token.identifier.reference), credential: token.raw, key: .signing(key))
            let hostile = HostilePhone(own, suite: CipherSuite.ofGates[round % 4], gates: try site.gatePeers)
            _ = controller.present(hostile, at: round % 2 == 0 ? "entry" : "other")
            points += try hostile.commands.map { try CommandAPDU(parsing: $0) }.filter { $0.ins == 0xE2 && $0.p1 == 0 }
                .map { Array(try #require(CBOR.decode($0.data).bytes).prefix(32)) }
        }
        #expect(points.count >= 30)
        #expect(Set(points).count == points.count)
    }
}
