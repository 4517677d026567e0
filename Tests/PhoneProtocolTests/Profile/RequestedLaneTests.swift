import Credentials
import Encoding
import PhoneProtocol
import Testing
import VirtualPhone

/// Several lanes behind one radio, and which one a phone gets.
@Suite struct RequestedLaneTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    static let lanes = ["main", "side", "gate-3"]

    func tap(_ requestedLane: String?, lanes: [String] = lanes, items: [EADItem] = []) throws -> RadioTap {
        var gate = try site.peripheral(lanes: lanes)
        var phone = site.tokenCentral(PhoneSettings(carrier: .ble, requestedLane: requestedLane, moreItems1: items))
        return RadioTap.run(&gate, &phone, knowing: site.candidates)
    }

    @Test func theItemHasTheStatedBytes() {
        let item = RequestedLane(lane: "main").item
        #expect(item == EADItem(label: 54356, isCritical: false, value: [0x64] + Array("main".utf8)))
        #expect(item.value.flatMap { RequestedLane(value: $0) } == RequestedLane(lane: "main"))
    }

    @Test(arguments: [(nil, 0), ("main", 0), ("side", 1), ("gate-3", 2), ("Side", 0), ("nowhere", 0), ("", 0)] as [(String?, Int)])
    func theLaneThatIsOfferedIsTaken(requestedLane: String?, offer: Int) throws {
        let tap = try tap(requestedLane)
        #expect(tap.offers == [offer])
        #expect(tap.proof?.claim.request.lane == Self.lanes[offer])
        #expect(tap.end == .outcomeTold)
    }

    /// It is not critical: whatever is wrong with it, the phone is served as if it had not been there.
    @Test(arguments: [
        [EADItem(label: 54356, isCritical: false, value: nil)],
        [EADItem(label: 54356, isCritical: false, value: [])],
        [EADItem(label: 54356, isCritical: false, value: Array("side".utf8))],
        [EADItem(label: 54356, isCritical: false, value: [0x44] + Array("side".utf8))],
        [EADItem(label: 54356, isCritical: false, value: [0x64] + Array("side".utf8) + [0x00])],
        [EADItem(label: 54356, isCritical: false, value: CBOR.text(String(repeating: "s", count: 33)).encoded)],
        [RequestedLane(lane: "side").item, RequestedLane(lane: "side").item]
    ]) func aRequestThatIsNoneIsPassedOver(items: [EADItem]) throws {
        let tap = try tap(nil, items: items)
        #expect(tap.offers == [0])
        #expect(tap.end == .outcomeTold)
    }

    @Test func asACriticalItemItStopsTheGate() throws {
        let item = EADItem(label: 54356, isCritical: true, value: RequestedLane(lane: "side").item.value)
        let tap = try tap(nil, items: [item])
        #expect(tap.end == .stopped(.protocolError, detail: "edhoc-critical-item"))
        #expect(tap.read == [HostileCentralTests.uniform])
    }

    /// Methods and suites are those of the lane taken.
    @Test func aLaneIsTakenWithItsMethods() throws {
        let offers = try [("main", EDHOCMethod.bothAgree), ("side", .bothSign)].map {
            try GateOffer(gateIdentifier: "gate-1", lane: $0.0, carrier: .ble, methods: [$0.1])
        }
        func end(_ requestedLane: String?) throws -> ConversationEnd? {
            var gate = BluetoothGateConversation(offers: offers, keys: site.gateKeys, ephemeral: try EphemeralKey.generate(for: .suite2))
            var phone = site.tokenCentral(PhoneSettings(carrier: .ble, requestedLane: requestedLane))
            return RadioTap.run(&gate, &phone, knowing: site.candidates).end
        }
        #expect(try end("side") == .outcomeTold)
        #expect(try end(nil) == .stopped(.protocolVersion, detail: "edhoc-method-not-supported"))
    }

    /// The attempt has begun at one lane; a phone that begins again does not change to another.
    @Test func thePhoneThatBeginsAgainStaysWithItsLane() throws {
        var gate = try site.peripheral(lanes: Self.lanes)
        var first = try RawPhone(gates: site.gatePeers, ead1: [RequestedLane(lane: "side").item])
        let second = try RawPhone(gates: site.gatePeers, ead1: [RequestedLane(lane: "main").item])
        guard case .acceptFinal(offer: 1, _) = gate.write(Frame(.message, first.message1).encoded) else {
            Issue.record("the request was not heard")
            return
        }
        let message2 = try #require(gate.read().flatMap { Frame(parsing: $0) }?.payload)
        let own = OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: [0x99]), credential: site.token.raw, key: .signing(site.phoneSigning))
        let message3 = try first.message3(message2, as: own, ead: [PhoneRequest(carrier: .ble, lane: "side").item])
        guard case .identify = gate.write(Frame(.message, message3).encoded), case .refused = gate.resolve([]) else {
            Issue.record("no claim")
            return
        }
        #expect(gate.refuse() == .accept)
        guard case .acceptFinal(offer: 1, _) = gate.write(Frame(.message, second.message1).encoded) else {
            Issue.record("the lane was changed under way")
            return
        }
    }

    /// A request is not protected, but it is part of the transcript: who changes it on the way stops the phone.
    @Test func aRequestThatSomebodyChangedStopsThePhone() throws {
        var gate = try site.peripheral(lanes: Self.lanes)
        var phone = site.tokenCentral(PhoneSettings(carrier: .ble, requestedLane: "side"))
        let tap = RadioTap.run(&gate, &phone, knowing: site.candidates) { index, isRead, bytes in
            guard index == 0, !isRead else { return bytes }
            return Array(bytes.dropLast(4)) + Array("main".utf8)
        }
        #expect(tap.offers == [0], "the gate believed it")
        #expect(tap.claims.isEmpty)
        guard case .stopped(.exchange) = tap.result else {
            Issue.record("the phone went on: \(String(describing: tap.result))")
            return
        }
    }
}
