import Foundation
import ReaderProtocol
import Testing
import Waits

@testable import VirtualPhone

/// The program that is installed, with libnfc, at a virtual chip: what the gate gets from it whatever the chip does.
@Suite struct ReaderProgramTests {
    private static let firmware = ChipState.open(ChipFirmware("PN532 v1.6"))
    private static let selection: [UInt8] = [0x00, 0xA4, 0x04, 0x00]

    private static func setup(_ path: String?, cycle: UInt16 = 50, plain: Bool = false) throws -> ReaderSetup {
        try ReaderSetup(
            device: "pn532_uart:\(path ?? "/nowhere"):115200", wakeUpFrame: ChipBench.wakeUp, cycleMilliseconds: cycle, exchangeMilliseconds: 1_600,
            reportsUIDOnlyCards: plain)
    }

    private static func answer(_ presentation: UInt32) throws -> ReaderReport {
        .answer(try ReaderAnswer(presentation: presentation, apdu: selection + [0x90, 0x00]))
    }

    @Test func aPhoneIsReportedServedAndMissed() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let (gate, state) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(state == Self.firmware)
        #expect(try gate.next() == .empty)
        bench.chip.present(ChipBench.phone())
        let card = try #require(try gate.card())
        #expect(card == (try ReportedCard(
            presentation: 1, kind: .isoDEP, atqa: 0x0004, sak: 0x20, uid: [0x08, 0x5A, 0x7E, 0x11], answerToSelect: [0x78, 0x80, 0x70, 0x02])))
        for _ in 0..<3 { #expect(try gate.exchange(1) == Self.answer(1)) }
        gate.send(.end(presentation: 1, .holdUntilAway))
        try bench.wait(for: "a look whether the phone is still there") { records in
            records.contains { $0.event == .sent(AirFrame(checked: [0xB2])) }
        }
        bench.chip.remove()
        #expect(try gate.next() == .empty)
        bench.chip.present(ChipBench.phone())
        #expect(try gate.card()?.presentation == 2)
        gate.send(.end(presentation: 2, .pollOn))
        #expect(try gate.card()?.presentation == 3)
    }

    /// Nobody answers at once: one announcement and one request in each cycle, and nothing between the cycles.
    @Test func aPhoneInExpressModeIsWoken() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        bench.chip.present(ChipBench.expressPhone)
        let (gate, state) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(state == Self.firmware)
        #expect(try gate.card()?.kind == .isoDEP)
        let cycles = bench.sentInCycles.filter { !$0.isEmpty }
        #expect(cycles.dropLast() == [[[UInt8]]](repeating: [AirFrame(checked: ChipBench.wakeUp).bytes, [0x26]], count: 2)[...])
    }

    @Test func itGivesSignsOfLifeBeforeItKnowsAnything() throws {
        let program = try ReaderProcess()
        let gate = try GateEnd(program.path)
        for _ in 0..<2 {
            guard case .beat(let beat)? = try gate.nextOrBeat() else {
                Issue.record("It says something else.")
                return
            }
            #expect(beat == ReaderBeat(phase: .idle, milliseconds: 0, cycles: 0, faults: 0))
        }
    }

    @Test func anIdleChipIsAlive() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(try gate.next() == .empty)
        var last: UInt32?
        for _ in 0..<4 {
            guard case .beat(let beat)? = try gate.nextOrBeat() else {
                Issue.record("It says something else.")
                return
            }
            #expect(beat.phase == .polling)
            #expect(beat.faults == 0)
            #expect(last.map { beat.cycles > $0 } ?? true)
            last = beat.cycles
        }
    }

    // The protocol --------------------------------------------------------------------------------

    @Test func whoeverBreaksTheRulesIsHungUpOn() throws {
        let program = try ReaderProcess()
        let setup = ReaderFrame.order(.setUp(try Self.setup(nil))).bytes
        let wrong: [[UInt8]] = [
            [2], [1, 0x7F], [1, 0x02, 0xFF, 0xFF], ReaderFrame.order(.reopen).bytes, ReaderFrame.report(.empty).bytes, setup + setup,
            setup + ReaderFrame.report(.empty).bytes, Array(repeating: ReaderFrame.order(.reopen).bytes, count: 100).reduce(setup, +)
        ]
        for bytes in wrong {
            let gate = try GateEnd(program.path)
            gate.send(bytes)
            while let report = try gate.next() {
                guard case .state = report else {
                    Issue.record("\(report)")
                    return
                }
            }
        }
        // And the next one is served.
        let (_, state) = try GateEnd.opening(program.path, Self.setup(nil))
        #expect(state == .failed(.portAbsent))
    }

    @Test func ordersInPiecesAreOrders() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let gate = try GateEnd(program.path)
        for byte in ReaderFrame.order(.setUp(try Self.setup(bench.chip.path))).bytes { gate.send([byte]) }
        #expect(try gate.opens() == Self.firmware)
    }

    // Ends ----------------------------------------------------------------------------------------

    /// libnfc dies of these; the next connection finds a program that works.
    @Test(arguments: [PN532Misbehaviour(.status(0x80), at: .exchangeData), PN532Misbehaviour(.selectLength(0))])
    func aChipThatKillsLibnfcKillsTheProgramAlone(fault: PN532Misbehaviour) throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        bench.chip.misbehave(fault)
        bench.chip.present(ChipBench.phone())
        let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        if let card = try gate.card() { #expect(try gate.exchange(card.presentation) == nil) }
        #expect(try gate.next() == nil)
        bench.chip.behave()
        let (next, state) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(state == Self.firmware)
        #expect(try next.exchange(try #require(try next.card()).presentation) == Self.answer(1))
    }

    /// The end of the connection is the end of the program, whatever the chip's thread is waiting for.
    @Test func aProgramWhoseChipHangsEndsWithTheConnection() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        bench.chip.present(ChipBench.phone())
        var before: pid_t?
        do {
            let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
            let card = try #require(try gate.card())
            before = program.server
            bench.chip.misbehave(PN532Misbehaviour(.trickle(nanoseconds: 1_500_000_000), at: .exchangeData))
            gate.send(.command(try ReaderCommand(presentation: card.presentation, apdu: Self.selection)))
            try bench.waitForCommand()
        }
        bench.chip.behave()
        let (next, state) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(state == Self.firmware)
        #expect(program.server != before)
        #expect(try next.exchange(try #require(try next.card()).presentation) == Self.answer(1))
    }

    @Test func aProgramThatIsKilledInTapsIsReplaced() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        bench.chip.present(ChipBench.phone())
        for _ in 0..<5 {
            let (gate, state) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
            #expect(state == Self.firmware)
            #expect(try gate.exchange(try #require(try gate.card()).presentation) == Self.answer(1))
            program.killServer()
            #expect(try gate.next() == nil)
        }
    }

    @Test func itEndsWhenAsked() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(try program.stop() == 0)
        while try gate.next() != nil {}
    }

    @Test func withoutASocketItSaysSo() throws {
        let process = Process()
        let errors = Pipe()
        process.executableURL = try ReaderProcess.program()
        process.standardError = errors
        try process.run()
        let said = try process.finish(reading: [errors])
        #expect(process.terminationStatus == 1)
        #expect(said[0].hasPrefix("tapstile-nfc: nfc-no-socket: "))
    }

    // Recovery ------------------------------------------------------------------------------------

    @Test func aPortIsForOneProgram() throws {
        let (bench, first, second) = (try ChipBench(), try ReaderProcess(), try ReaderProcess())
        var (gate, state): (GateEnd?, ChipState?) = try GateEnd.opening(first.path, Self.setup(bench.chip.path))
        #expect(state == Self.firmware)
        let (other, refused) = try GateEnd.opening(second.path, Self.setup(bench.chip.path))
        #expect(refused == .failed(.portHeld))
        gate = nil
        _ = gate
        state = try waitUntil("the kernel to give the lock back") {
            other.send(.reopen)
            return try other.opens()
        } fits: { $0 != .failed(.portHeld) }
        #expect(state == Self.firmware)
    }

    @Test func aPortThatVanishesIsOpenedUnderAnotherNumber() throws {
        let program = try ReaderProcess()
        let bench = try ChipBench(link: program.link)
        bench.chip.present(ChipBench.phone())
        let (gate, state) = try GateEnd.opening(program.path, Self.setup(program.link))
        #expect(state == Self.firmware)
        let card = try #require(try gate.card())
        bench.chip.unplug()
        let failed = try #require(try gate.exchange(card.presentation))
        guard case .failed(let failure) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(failure.cause == .chip)
        #expect(try gate.next() == .state(.failed(.portAbsent)))
        gate.send(.reopen)
        #expect(try gate.opens() == .failed(.portAbsent))
        try bench.chip.plugIn()
        gate.send(.reopen)
        #expect(try gate.opens() == Self.firmware)
        #expect(try gate.card()?.presentation == 2)
    }

    @Test func aChipThatHangsIsCalledBack() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        bench.chip.present(ChipBench.phone())
        let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        let card = try #require(try gate.card())
        bench.chip.misbehave(PN532Misbehaviour(.acknowledgeOnly, at: .exchangeData, times: 1))
        gate.send(.command(try ReaderCommand(presentation: card.presentation, apdu: Self.selection)))
        try bench.waitForCommand()
        gate.send(.abort)
        // -7 where libnfc was already waiting for the answer; else it finds out by itself.
        let failed = try #require(try gate.next())
        guard case .failed(let failure) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(failure.cause == .chip)
        #expect(try gate.card()?.presentation == 2)
    }

    @Test func aSilentChipIsFoundAndBroughtBack() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        #expect(try gate.next() == .empty)
        bench.chip.misbehave(PN532Misbehaviour(.silent))
        try waitUntil("three faults in a sign of life") { try gate.nextOrBeat() } fits: { report in
            let beat: ReaderBeat? = if case .beat(let beat)? = report { beat } else { nil }
            return try #require(beat, "It says something else.").faults >= 3
        }
        gate.send(.reopen)
        #expect(try gate.opens() == .failed(.chipSilent))
        bench.chip.behave()
        gate.send(.reopen)
        #expect(try gate.opens() == Self.firmware)
        #expect(try gate.next() == .empty)
    }

    @Test func whateverIsOpenedIsClosed() throws {
        let (bench, program) = (try ChipBench(), try ReaderProcess())
        let (gate, _) = try GateEnd.opening(program.path, Self.setup(bench.chip.path))
        let before = program.descriptors
        #expect(before != nil)
        for _ in 0..<10 {
            gate.send(.reopen)
            while let report = try gate.next(), report != .state(Self.firmware) {}
        }
        #expect(program.descriptors == before)
    }
}
