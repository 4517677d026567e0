import Credentials
import PhoneProtocol
import Testing
import VirtualPhone

/// ATT requests and bytes up to the relay over Bluetooth, after discovery (docs/phone-protocol.md).
@Suite struct LinkBudgetTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    /// Requests that write a value: one, or with a value that does not fit several prepared parts and one to execute
    /// them (Bluetooth Core Specification, Vol 3, Part F, 3.4.5.1 and 3.4.6).
    static func writing(_ count: Int, mtu: Int) -> Int {
        guard count > mtu - 3 else { return 1 }
        return (count + mtu - 6) / (mtu - 5) + 1
    }

    /// Requests that read a value: a part that fills the MTU may have another one after it (3.4.4.5).
    static func reading(_ count: Int, mtu: Int) -> Int { count / (mtu - 1) + 1 }

    /// To the end of the write of message_3, and everything.
    private func requests(_ tap: RadioTap, mtu: Int) -> [Int] {
        let relay = tap.written.map { Self.writing($0.count, mtu: mtu) }.reduce(0, +) + Self.reading(tap.read[0].count, mtu: mtu)
        return [relay, relay + Self.reading(tap.read[1].count, mtu: mtu)]
    }

    private func tap(
        _ phone: consuming BluetoothPhone, sending outcome: PhoneOutcome = PhoneOutcome(result: .granted, reason: .granted)
    ) throws -> RadioTap {
        var gate = try site.peripheral()
        var phone = phone
        let tap = RadioTap.run(&gate, &phone, knowing: { claim in
            let known = site.candidates(claim)
            return known.isEmpty ? [PeerCredential(credential: site.token.raw, key: site.phoneSigning.publicKey)] : known
        }, sending: outcome)
        try #require(tap.proof != nil)
        return tap
    }

    /// For a gate "gate-1", a lane "main" and a token of 194 bytes, as over NFC.
    @Test func aTokenByValueTakesTheStatedRequests() throws {
        let tap = try tap(site.tokenCentral())
        #expect(site.token.raw.count == 194)
        #expect(tap.written.map(\.count) == [38, 290])
        #expect(tap.read.map(\.count) == [130, 16])
        #expect(requests(tap, mtu: 517) == [3, 4])
        #expect(requests(tap, mtu: 293) == [3, 4])
        #expect(requests(tap, mtu: 292) == [5, 6])
        #expect(requests(tap, mtu: 185) == [5, 6])
        #expect(requests(tap, mtu: 23) == [28, 29])
    }

    @Test func aTokenByReferenceTakesTheStatedRequests() throws {
        let tap = try tap(site.central(.tokenReference(site.token.raw), .signing(site.phoneSigning)))
        #expect(tap.written.map(\.count) == [38, 102])
        #expect(tap.read.map(\.count) == [130, 16])
        #expect(requests(tap, mtu: 132) == [3, 4])
        #expect(requests(tap, mtu: 131) == [4, 5])
        #expect(requests(tap, mtu: 185) == [3, 4])
        #expect(requests(tap, mtu: 23) == [17, 18])
    }

    @Test func anEnrolledKeyTakesTheStatedRequests() throws {
        let tap = try tap(site.enrolledCentral())
        #expect(tap.written.map(\.count) == [38, 37])
        #expect(tap.read.map(\.count) == [73, 16])
        #expect(requests(tap, mtu: 75) == [3, 4])
        #expect(requests(tap, mtu: 74) == [4, 5])
        #expect(requests(tap, mtu: 185) == [3, 4])
        #expect(requests(tap, mtu: 23) == [12, 13])
    }

    @Test func theJournalsHeadMakesTheOutcomeLonger() throws {
        let outcome = PhoneOutcome(result: .granted, reason: .granted, journalHead: [UInt8](repeating: 9, count: 32))
        #expect(try tap(site.tokenCentral(), sending: outcome).read[1].count == 16 + 33)
    }

    /// A request for a lane costs its name and five bytes more.
    @Test func aRequestedLaneCostsTheStatedBytes() throws {
        let tap = try tap(site.tokenCentral(PhoneSettings(carrier: .ble, requestedLane: TestSite.lane)))
        #expect(tap.written[0].count == 38 + 5 + TestSite.lane.utf8.count)
    }

    /// The longest names leave a message_2 by `kid` well within one value.
    @Test func theLongestNamesFit() throws {
        let name = String(repeating: "n", count: PhoneProtocolProfile.maximumNameLength)
        let offer = try GateOffer(gateIdentifier: name, lane: name, carrier: .ble, wantsSecondFactor: true)
        var gate = BluetoothGateConversation(
            offers: [offer.at(time: .max, cacheGeneration: .max)], keys: site.gateKeys, ephemeral: try EphemeralKey.generate(for: .suite2))
        var phone = site.tokenCentral(PhoneSettings(carrier: .ble, requestedLane: name))
        let tap = RadioTap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.proof != nil)
        #expect(tap.read[0].count < 250)
    }
}
