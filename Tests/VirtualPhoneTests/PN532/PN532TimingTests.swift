import Testing

@testable import VirtualPhone

/// True byte times: ten bits for each byte on the wire, 128 periods of 13.56 MHz for each bit on the air.
@Suite struct PN532TimingTests {
    private static let byte: Int64 = 86_805

    private static func ready() -> ChipHost {
        var host = ChipHost(PN532Chip(timing: .bytes()))
        host.chip.receive(ChipHost.wakeUp, at: 0)
        _ = host.ask([0x14, 0x01])
        return host
    }

    @Test func acknowledgementAndAnswerTakeTheirTimeOnTheWire() {
        var host = Self.ready()
        let start = host.time
        host.chip.receive(PN532Frame.information([0xD4, 0x02]).encoded, at: start)
        // Nine bytes there, but for the postamble, which nobody waits for.
        #expect(host.chip.nextTime == start + (8 + 6) * Self.byte)
        #expect(host.chip.advance(to: start + 14 * Self.byte) == [PN532Frame.acknowledge.encoded])
        #expect(host.chip.advance(to: start + 14 * Self.byte) == [])
        #expect(host.chip.nextTime == start + (14 + 13) * Self.byte)
    }

    @Test func framesTakeTheirTimeOnTheAir() {
        var host = Self.ready()
        host.chip.air.present(AirPhone(handler: { CardAnswer($0, nanoseconds: 2_000_000) }))
        _ = host.ask([0x4A, 0x01, 0x00])
        _ = host.chip.air.drainRecords()
        let start = host.time
        #expect(host.ask([0x40, 0x01] + [UInt8](repeating: 7, count: 100)) != nil)
        let frames = host.chip.air.drainRecords().map { $0.event }
        // 100 bytes in one frame there (the phone takes 256), in two back (the chip takes 64).
        #expect(frames.count == 4)
        let bits = [103 * 9 + 1, 64 * 9 + 1, 3 * 9 + 1, 42 * 9 + 1].reduce(0, +)
        // Two pauses before answers, what the phone computed, and 110 + 6 + 112 bytes on the wire, less a postamble and with the
        // ACK beside the air.
        let air = Int64(bits) * 9_440 + 2 * 86_430 + 2_000_000
        #expect(host.time - start == (110 - 1) * Self.byte + air + 110 * Self.byte)
    }

    @Test func aHigherRateHalvesTheAir() {
        #expect(AirRate.r106.nanoseconds(of: AirFrame([0, 0])) == 19 * 9_440)
        #expect(AirRate.r212.nanoseconds(of: AirFrame([0, 0])) == 19 * 4_720)
        #expect(AirRate.r424.nanoseconds(of: AirFrame([0, 0])) == 19 * 2_360)
        #expect(AirRate.r106.nanoseconds(of: AirFrame([0x26], lastBits: 7)) == 8 * 9_440)
    }
}
