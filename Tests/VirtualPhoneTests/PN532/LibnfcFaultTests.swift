import Foundation
import Testing

@testable import VirtualPhone

/// What unmodified libnfc makes of a chip that goes wrong. The gate's own program around it is built upon these facts: which
/// faults it hears of, and which end the process.
@Suite struct LibnfcFaultTests {
    private static let ready = ["initiator", "time-out", "1700"]

    private static func chip() throws -> VirtualPN532 {
        let chip = try VirtualPN532()
        chip.present(AirPhone(answering: { $0 + [0x90, 0x00] }))
        return chip
    }

    private static func run(_ chip: VirtualPN532, _ steps: [String]) throws -> NFCProbe {
        try NFCProbe.run(try #require(chip.path), steps)
    }

    /// None of them is taken for a good answer, and the next command works.
    @Test(arguments: [
        PN532Fault.garbage([0x00, 0x00, 0xFF, 0x12, 0x34, 0x56, 0x78, 0x9A]), .wrongDataChecksum, .wrongLengthChecksum, .noAcknowledge,
        .syntaxError, .acknowledgeOnly, .silent, .oversized(by: 300)
    ])
    func aBrokenAnswerIsAnError(fault: PN532Fault) throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(fault, at: .exchangeData, after: 1, times: 1))
        let probe = try Self.run(chip, Self.ready + ["select", "send", "00A40400", "send", "80E20000", "field", "off", "select", "send", "80E40000"])
        #expect(probe.output("send").count == 3)
        #expect(probe.output("send").first == "00A404009000")
        #expect(Int(probe.output("send")[1]).map { $0 < 0 } ?? false, "\(probe.lines)")
        #expect(probe.output("send").last == "80E400009000")
        #expect(probe.status == 0)
    }

    /// Bit 7 of a status means an addressed node to libnfc, which nobody has: it aborts.
    @Test func aStatusWithBitSevenEndsTheProcess() throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(.status(0x80), at: .exchangeData))
        let probe = try Self.run(chip, Self.ready + ["select", "send", "00A40400"])
        #expect(probe.lines.last?.hasPrefix("select 0004 20 085A7E11") ?? false)
        #expect(probe.hasDied)
        // Whoever opens it next finds a chip that works.
        chip.behave()
        #expect(try Self.run(chip, Self.ready + ["field", "off", "select"]).output("select") == ["0004 20 085A7E11 78807002"])
    }

    @Test func anATSWithoutLengthEndsTheProcess() throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(.selectLength(0)))
        #expect(try Self.run(chip, Self.ready + ["select"]).hasDied)
    }

    @Test func anIdentifierThatIsTooLongIsCutOff() throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(.identifierLength(255)))
        let probe = try Self.run(chip, Self.ready + ["select"])
        #expect(probe.status == 0)
        #expect(probe.output("select").first?.split(separator: " ")[2].count == 20)
    }

    @Test func bytesThatTrickleAreWaitedFor() throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(.trickle(nanoseconds: 1_000_000)))
        let probe = try Self.run(chip, Self.ready + ["select", "send", "00A40400"])
        #expect(probe.output("send") == ["00A404009000"])
    }

    @Test func anEndlessStreamIsAnError() throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(.endless(0x00), at: .exchangeData))
        let probe = try Self.run(chip, Self.ready + ["select", "send", "00A40400", "send", "00A40400"])
        #expect(probe.output("send").allSatisfy { Int($0).map { $0 < 0 } ?? false })
        #expect(probe.status == 0)
        chip.behave()
        #expect(try Self.run(chip, Self.ready + ["field", "off", "select"]).output("select") == ["0004 20 085A7E11 78807002"])
    }

    @Test(arguments: [PN532Fault.silent, .garbage([0xFF]), .endless(0x55)])
    func aChipThatIsBrokenIsNotOpened(fault: PN532Fault) throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(fault))
        let probe = try Self.run(chip, [])
        #expect(probe.lines == ["open failed", "end"])
        #expect(probe.status == 0)
    }

    /// nfc_open does not look at what GetFirmwareVersion brings; what follows then walks a list that is not there.
    @Test func aChipOfUnknownVersionIsOpenedAndEndsTheProcess() throws {
        let chip = try Self.chip()
        chip.misbehave(PN532Misbehaviour(.wrongDataChecksum, at: .getFirmwareVersion))
        let probe = try Self.run(chip, ["initiator", "select"])
        #expect(probe.lines.first?.hasPrefix("open pn532_uart") ?? false)
        #expect(probe.hasDied)
    }

    /// Nothing keeps a second program away from the port.
    @Test func aPortHasRoomForTwo() throws {
        let chip = try Self.chip()
        let path = try #require(chip.path)
        let first = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? first.close() }
        #expect(try Self.run(chip, Self.ready + ["select"]).output("select") == ["0004 20 085A7E11 78807002"])
    }

    @Test func aPortThatGoesAwayIsAnErrorAndComesBackElsewhere() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pn532-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("reader").path
        let chip = try VirtualPN532(link: link)
        chip.present(AirPhone(answering: { $0 + [0x90, 0x00] }))
        let before = chip.path
        #expect(try NFCProbe.run(link, Self.ready + ["select"]).output("select") == ["0004 20 085A7E11 78807002"])
        chip.unplug()
        #expect(chip.path == nil)
        #expect(try NFCProbe.run(link, []).lines == ["open failed", "end"])
        try chip.plugIn()
        #expect(chip.path != nil && chip.path != before)
        #expect(try NFCProbe.run(link, Self.ready + ["select"]).output("select") == ["0004 20 085A7E11 78807002"])
    }
}
