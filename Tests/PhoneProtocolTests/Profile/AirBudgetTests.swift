import PhoneProtocol
import Testing
import VirtualPhone

/// Bytes and commands from SELECT to message_3, block framing included (docs/phone-protocol.md).
@Suite struct AirBudgetTests {
    /// ISO/IEC 14443-4, 7.1: PCB and two bytes of CRC around every block.
    static let framing = 3
    /// Frames of 256 bytes (FSD and FSC 8: ISO/IEC 14443-4, 5.1), less the framing.
    static let information = 253

    /// One APDU in I-blocks; every block but the last is acknowledged by an R-block.
    static func onAir(_ apdu: [UInt8]) -> Int {
        let blocks = (apdu.count + information - 1) / information
        return apdu.count + blocks * framing + (blocks - 1) * framing
    }

    static func onAir(_ tap: Tap, commands: Int) -> Int {
        (tap.commands.prefix(commands) + tap.responses.prefix(commands)).map(onAir).reduce(0, +)
    }

    @Test func aTokenByValueTakesThreeCommandsAnd580Bytes() throws {
        let site = try TestSite()
        var gate = try site.gate()
        var phone = site.tokenPhone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.proof != nil)
        #expect(tap.commands.count == 4, "three to message_3, one for OUTCOME")
        #expect(Self.onAir(tap, commands: 3) <= 580)
    }

    @Test func aTokenByReferenceTakesTwoCommandsAnd330Bytes() throws {
        let site = try TestSite()
        var gate = try site.gate()
        var phone = site.phone(.tokenReference(site.token.raw), .signing(site.phoneSigning))
        let tap = Tap.run(&gate, &phone, knowing: { _ in
            [PeerCredential(credential: site.token.raw, key: site.phoneSigning.publicKey)]
        })
        #expect(tap.proof != nil)
        #expect(tap.commands.map(\.count) == [15, 6 + 129, 21])
        #expect(tap.responses.map(\.count) == [46 + 2, 101 + 2, 2])
        #expect(Self.onAir(tap, commands: 2) <= 330)
        #expect(Self.onAir(tap, commands: 2) == 313)
    }

    /// What docs/phone-protocol.md states, for a gate "gate-1", a lane "main" and a token of 194 bytes.
    @Test func theMessagesHaveTheStatedLengths() throws {
        let site = try TestSite()
        var gate = try site.gate()
        var phone = site.tokenPhone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(site.token.raw.count == 194)
        #expect(SelectAnswer(parsing: Array(tap.responses[0].dropLast(2)))?.message1.count == 37)
        #expect(tap.commands.map(\.count) == [15, 6 + 129, 5, 21])
        #expect(tap.responses.map(\.count) == [46 + 2, 250 + 2, 39 + 2, 2])
        #expect(Self.onAir(tap, commands: 3) == 514)
    }

    @Test func anEnrolledKeyWithStaticKeysTakesHalfOfThat() throws {
        let site = try TestSite()
        var gate = try site.gate()
        var phone = site.enrolledPhone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.proof != nil)
        #expect(tap.commands.map(\.count) == [15, 6 + 72, 21])
        #expect(tap.responses.map(\.count) == [46 + 2, 36 + 2, 2])
        #expect(Self.onAir(tap, commands: 2) == 191)
    }

    /// The longest names still make one short command (ISO/IEC 7816-4, 5.1).
    @Test func theLongestNamesFit() throws {
        let name = String(repeating: "n", count: PhoneProtocolProfile.maximumNameLength)
        let site = try TestSite()
        let offer = try GateOffer(gateIdentifier: name, lane: name, carrier: .nfc, wantsSecondFactor: true)
        var gate = NFCGateConversation(
            offer: offer.at(time: .max, cacheGeneration: .max), keys: site.gateKeys,
            ephemeral: try EphemeralKey.generate(for: .suite2))
        var phone = site.tokenPhone()
        let tap = Tap.run(&gate, &phone, knowing: site.candidates)
        #expect(tap.proof != nil)
        #expect(throws: GateOfferError.nameTooLong(name + "n")) {
            try GateOffer(gateIdentifier: "g", lane: name + "n", carrier: .nfc)
        }
        #expect(throws: GateOfferError.nameEmpty) { try GateOffer(gateIdentifier: "", lane: name, carrier: .nfc) }
        #expect(throws: GateOfferError.noMethod) {
            try GateOffer(gateIdentifier: "g", lane: name, carrier: .nfc, methods: [])
        }
        #expect(throws: GateOfferError.noSuite) {
            try GateOffer(gateIdentifier: "g", lane: name, carrier: .nfc, suites: [.suite0])
        }
    }
}
