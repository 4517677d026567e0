import Credentials
import Encoding
import PhoneProtocol
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
}
