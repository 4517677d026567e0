import Conversations
import Credentials
import Encoding
import Testing
import VirtualPhone

/// A critical item that nobody understands stops whoever meets it, in every message (RFC 9528, 3.8).
@Suite("Attack: unknown critical items (V3)") struct EADAttackTests {
    let site: TestSite
    static let labels: [Int] = [1, 23, 24, 4711, 54352, 54356, 65535]

    init() throws { site = try TestSite() }

    private var request: EADItem { PhoneRequest(carrier: .nfc, lane: TestSite.lane).item }

    private func gateOwn() -> OwnCredential {
        OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: site.knownGates[0].keyIdentifier), credential: site.knownGates[0].claims,
            key: .signing(site.gateSigning))
    }

    private func items(_ label: Int, _ isCritical: Bool, beside item: EADItem?) -> [[EADItem]] {
        let bare = EADItem(label: label, isCritical: isCritical, value: nil)
        let valued = EADItem(label: label, isCritical: isCritical, value: [1, 2, 3])
        guard let item else { return [[bare], [valued]] }
        return [[item, bare], [item, valued], [bare, item], [valued, item]]
    }

    @Test(arguments: labels) func inMessage1ItStopsTheGate(label: Int) throws {
        for ead in items(label, true, beside: nil) {
            let meeting = try site.meet(site.own(site.token.raw), ead: [request], ead1: ead)
            #expect(meeting.claim == nil && !meeting.isProved)
            #expect(meeting.lastCommand == StrangerTests.uniform)
        }
        for ead in items(label, false, beside: nil) {
            #expect(try site.meet(site.own(site.token.raw), ead: [request], ead1: ead).isProved)
        }
    }

    /// The phone has not said yet who it is.
    @Test(arguments: labels) func inMessage2ItStopsThePhone(label: Int) throws {
        for ead in items(label, true, beside: FalseGate.context.item) {
            let meeting = try FalseGate.meet(site.tokenPhone(), gateOwn(), ead: ead)
            #expect(meeting.response == FalseGate.declined && !meeting.isBelieved)
        }
        for ead in items(label, false, beside: FalseGate.context.item) {
            #expect(try FalseGate.meet(site.tokenPhone(), gateOwn(), ead: ead).isBelieved)
        }
    }

    @Test(arguments: labels) func inMessage3ItStopsTheGate(label: Int) throws {
        for ead in items(label, true, beside: request) {
            let meeting = try site.meet(site.own(site.token.raw), ead: ead)
            #expect(meeting.claim == nil && !meeting.isProved)
            #expect(meeting.lastCommand == StrangerTests.uniform)
        }
        for ead in items(label, false, beside: request) {
            #expect(try site.meet(site.own(site.token.raw), ead: ead).isProved)
        }
    }

    /// The profile sends no message_4; the engine has it all the same.
    @Test(arguments: labels) func inMessage4ItStopsThePhone(label: Int) throws {
        var initiator = EDHOCInitiator(
            method: .bothSign, suites: [2], connectionIdentifier: [0x05], ephemeral: try EphemeralKey.generate(for: .suite2))
        var responder = EDHOCResponder(
            methods: [.bothSign], suites: [.suite2], connectionIdentifier: [0x06], ephemeral: try EphemeralKey.generate(for: .suite2))
        _ = try responder.receiveMessage1(try initiator.makeMessage1())
        _ = try initiator.receiveMessage2(try responder.makeMessage2(gateOwn(), ead: []))
        _ = try initiator.verifyMessage2(site.gatePeers)
        _ = try responder.receiveMessage3(try initiator.makeMessage3(site.own(site.token.raw), ead: []))
        _ = try responder.verifyMessage3([PeerCredential(credential: site.token.raw, key: site.phoneSigning.publicKey)])
        for ead in items(label, true, beside: nil) {
            let message = try responder.makeMessage4(ead: ead)
            var stop: EDHOCError?
            do throws(EDHOCError) { _ = try initiator.receiveMessage4(message) } catch { stop = error }
            #expect(stop == .criticalItemNotUnderstood(label: label))
        }
        for ead in items(label, false, beside: nil) {
            let read = try initiator.receiveMessage4(try responder.makeMessage4(ead: ead))
            #expect(read == ead)
        }
    }
}
