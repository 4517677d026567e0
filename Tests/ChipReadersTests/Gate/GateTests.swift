import Readers
import Testing
import VirtualPhone
import Waits

/// The whole way of a tap at a PN532 below its conversation: the gate's reader, the program that is installed, libnfc, a virtual chip and
/// a phone; and that way back to service whatever breaks (O5).
@Suite("A gate at a PN532", .serialized)
struct GateTests {
    private static let absence = Duration.milliseconds(400)

    /// The field stays empty for longer than a phone must be away to be served again (T9).
    private static func remove(_ bench: ChipBench, _ gate: GateBench) throws {
        bench.chip.remove()
        try gate.wait(.state("reader-ready"))
        letTimePass(absence, because: "so long must a phone be away (T9), and a little more")
    }

    private static func serve(_ bench: ChipBench, _ gate: GateBench) throws {
        bench.chip.present(ChipBench.phone())
        try gate.wait(GateBench.answered)
    }

    @Test func phonesAreServedOneAfterTheOther() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let gate = try GateBench(program.path, try #require(bench.chip.path))
        let before = gate.recovery
        for _ in 0..<3 {
            try Self.serve(bench, gate)
            try Self.remove(bench, gate)
        }
        #expect(gate.recovery == before)
    }

    /// By its number, and once (V8); phones are served as before.
    @Test func aUIDOnlyCardIsToldByItsNumber() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let gate = try GateBench(program.path, try #require(bench.chip.path))
        bench.chip.present(ChipBench.phone(.plain([0x04, 1, 2, 3, 4, 5, 6])))
        try gate.wait(.uidOnlyCard([0x04, 1, 2, 3, 4, 5, 6]))
        try Self.remove(bench, gate)
        bench.chip.present(ChipBench.phone())
        let told = try gate.wait(GateBench.answered)
        #expect(!told.contains { if case .uidOnlyCard = $0 { true } else { false } })
    }

    /// The program dies while a phone computes its answer.
    @Test func aProgramKilledInATapIsBackAndServesThePhone() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let gate = try GateBench(program.path, try #require(bench.chip.path))
        // Those until the program listened.
        let before = gate.recovery[.restart]
        for round in UInt64(1)...3 {
            let (kills, keeper) = (Once(), program.keeper)
            bench.chip.present(AirPhone(answering: { command in
                if kills.isFirst { ReaderProcess.killServer(of: keeper) }
                return command + [0x90, 0x00]
            }))
            let told = try gate.wait(.broken("link-service-gone"))
            #expect(!told.contains(GateBench.answered))
            try gate.wait(GateBench.answered)
            try Self.remove(bench, gate)
            #expect(gate.recovery[.restart] == before + round)
        }
    }

    @Test func aPortThatIsUnpluggedIsBackUnderAnotherNumber() throws {
        let program = try ReaderProcess()
        let bench = try ChipBench(link: program.link)
        let gate = try GateBench(program.path, program.link)
        try Self.serve(bench, gate)
        let before = gate.recovery
        bench.chip.unplug()
        try gate.wait(.note("nfc-port-absent"))
        try gate.wait(.state("reader-failed"))
        bench.chip.remove()
        try bench.chip.plugIn()
        try gate.wait(.state("reader-ready"))
        letTimePass(Self.absence, because: "so long must a phone be away (T9), and a little more")
        try Self.serve(bench, gate)
        #expect(gate.recovery[.reopen] > before[.reopen])
        #expect(gate.recovery[.restart] == before[.restart])
    }

    static let faults: [(PN532Misbehaviour, String)] = [
        (PN532Misbehaviour(.silent), "nfc-chip-fails"), (PN532Misbehaviour(.endless(0x55)), "nfc-chip-fails"),
        (PN532Misbehaviour(.trickle(nanoseconds: 250_000_000)), "nfc-chip-silent"),
        (PN532Misbehaviour(.status(0x80), at: .exchangeData), "nfc-helper-died")
    ]

    /// Out of service while the chip is broken, and a phone is served soon after it works again.
    @Test(arguments: faults)
    func aChipThatFailsIsBroughtBack(fault: PN532Misbehaviour, code: String) throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let gate = try GateBench(program.path, try #require(bench.chip.path))
        bench.chip.misbehave(fault)
        bench.chip.present(ChipBench.phone())
        var told = try gate.wait(.state("reader-recovering"))
        #expect(!told.contains(GateBench.answered))
        bench.chip.behave()
        told += try gate.wait(GateBench.answered)
        #expect(told.contains(.note(code)))
        #expect(gate.state?.isInService == true)
    }

    private struct FixingLine: ResetLine {
        let chip: VirtualPN532

        func pull() {
            chip.behave()
            chip.reset()
        }
    }

    @Test func aChipThatOnlyItsResetLineFixesIsBackByItself() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let gate = try GateBench(program.path, try #require(bench.chip.path), resetLine: FixingLine(chip: bench.chip))
        let before = gate.recovery
        bench.chip.misbehave(PN532Misbehaviour(.silent))
        try gate.wait(.state("reader-recovering"))
        try gate.wait(.state("reader-ready"))
        #expect(gate.recovery[.resetLine] == 1)
        #expect(gate.recovery[.restart] == before[.restart])
        try Self.serve(bench, gate)
    }
}
