import ReaderProtocol
import Testing
import Threads

@testable import Readers

@Suite("A PN532 behind a program, over a real socket", .serialized)
struct ChipReaderTests {
    private static let answered: [Result<[UInt8], LinkError>] = [.success([0x00, 0xA4, 0x04, 0x00, 0x90, 0x00])]

    @Test func aPhoneIsServedWhenItIsPresentedAndLetGoWhenItIsTaken() async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            for number in 1...3 {
                bench.program.present()
                try await bench.events.next(.ended("exit", Self.answered))
                try await bench.program.events.next(.order(.end(presentation: UInt32(number), .holdUntilAway)))
                try await bench.removePhone()
            }
        }
        #expect(bench.events.all.count { $0 == .began("exit") } == 3)
        #expect(bench.readers.recovery(of: "exit") == RecoveryCounts())
    }

    @Test func aUIDOnlyCardIsToldByItsNumberAndHeld() async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            bench.program.request {
                $0.uidOnlyCard = [4, 1, 2, 3, 4, 5, 6]
                $0.hasPhone = true
            }
            try await bench.events.next(.uidOnlyCard("exit", [4, 1, 2, 3, 4, 5, 6]))
            try await bench.program.events.next(.order(.end(presentation: 1, .holdUntilAway)))
            try await bench.removePhone()
            bench.program.request { $0.uidOnlyCard = nil }
            bench.program.present()
            try await bench.events.next(.ended("exit", Self.answered))
        }
        #expect(bench.events.all.count { if case .uidOnlyCard = $0 { true } else { false } } == 1)
        #expect(bench.events.all.count { $0 == .began("exit") } == 1, "nobody talks to a card")
    }

    @Test func commandsAndAnswersOfEverySizeArriveWhole() async throws {
        let commands = (4...262).map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ size) } }
        let bench = try ChipReaderBench { _, link in (.done, commands.map { ReaderBench.send($0, over: link) }) }
        try await bench.run {
            bench.program.present()
            try await bench.events.next(.ended("exit", commands.map { .success($0 + [0x90, 0x00]) }))
        }
    }

    @Test func aReaderGoesOnWithOtherSettingsAndItsCounts() async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            bench.program.present(.death)
            try await bench.events.next(.note("nfc-recovery"))
            try await bench.events.next(.ended("exit", Self.answered))
            try await bench.removePhone()
            let setup = try ReaderSetup(device: "e", wakeUpFrame: [1], cycleMilliseconds: 100, exchangeMilliseconds: 800)
            bench.readers.replace(ChipReaderBinding(name: "exit", socket: bench.program.path, setup: setup))
            try await bench.program.events.next(.order(.setUp(setup)))
            try await bench.events.next(.state("exit", "reader-ready"))
            #expect(bench.readers.recovery(of: "exit")?[.restart] == 1)
            bench.program.present()
            try await bench.events.next(.ended("exit", Self.answered))
            bench.readers.stop()
            bench.readers.replace(ChipReaderBinding(name: "exit", socket: bench.program.path, setup: setup))
            bench.readers.replace(ChipReaderBinding(name: "other", socket: bench.program.path, setup: setup))
        }
        #expect(bench.program.events.all.count { $0 == .connected } == 3, "nobody starts a reader again that was stopped, nor one that is none")
    }

    @Test func aLinkThatIsEndedBringsNoAnswerWhateverThePhoneDoes() async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            bench.program.present(.silence)
            let given = try await bench.links.next("a link") { _ in true }
            try await bench.program.events.next("a command") { if case .order(.command) = $0 { true } else { false } }
            given.link.invalidate()
            try await bench.events.next(.ended("exit", [.failure(.timedOut)]))
            #expect(throws: LinkError.timedOut) { try given.link.transmit([0x00, 0xA4, 0x04, 0x00]) }
        }
    }

    @Test func aDeadlineEndsTheWait() async throws {
        let bench = try ChipReaderBench { _, link in
            link.close(atMonotonicMilliseconds: MonotonicTime.milliseconds + 50)
            return (.done, [ReaderBench.send([0x00, 0xA4, 0x04, 0x00], over: link)])
        }
        try await bench.run {
            bench.program.present(.silence)
            try await bench.events.next(.ended("exit", [.failure(.timedOut)]))
        }
    }

    @Test(arguments: [
        (ExchangeFailure.Cause.gone, "link-card-gone"), (.timedOut, "link-timed-out"), (.chip, "link-failed")
    ])
    func aCommandWithoutAnAnswerSaysWhy(cause: ExchangeFailure.Cause, code: String) async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            bench.program.present(.failed(cause))
            let broken = try await bench.nextBreak()
            #expect(broken.first == code)
            try await bench.events.next(.ended("exit", Self.answered))
        }
    }

    @Test func aProgramKilledUnderTapsIsStartedAnewAndTheNextPhoneIsServed() async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            for _ in 0..<20 {
                bench.program.present(.death)
                let broken = try await bench.nextBreak()
                #expect(broken == ["link-service-gone", "nfc-helper-died"])
                try await bench.events.next(.ended("exit", Self.answered))
                try await bench.removePhone()
            }
        }
        #expect((bench.readers.recovery(of: "exit") ?? RecoveryCounts())[.restart] >= 20)
    }

    /// What a program says that has been taken over, in place of an answer.
    static let lies: [[UInt8]] = [
        // No frame.
        [0x7F], [0x01, 0x00], [0x01, 0x83, 0xFF, 0xFF],
        // An order to the gate.
        [0x01, 0x05, 0x00, 0x00],
        // An answer of one byte; one for another presentation.
        [0x01, 0x83, 0x00, 0x05, 0, 0, 0, 1, 0x90], [0x01, 0x83, 0x00, 0x06, 0xFF, 0, 0, 1, 0x90, 0x00],
        // A card whose number is longer than its frame.
        [0x01, 0x82, 0x00, 0x0A, 0, 0, 0, 2, 0, 0, 4, 0x20, 0xFF, 0x08]
    ]

    @Test(arguments: lies)
    func aProgramThatLiesIsReplacedAndOpensNothing(lie: [UInt8]) async throws {
        let bench = try ChipReaderBench()
        try await bench.run {
            bench.program.present(.raw(lie))
            let broken = try await bench.nextBreak()
            #expect(broken == ["link-service-gone", "nfc-protocol"])
            try await bench.events.next(.ended("exit", Self.answered))
        }
    }

    @Test func aProgramThatNeverStopsTalkingIsReplaced() async throws {
        let flood = [[UInt8]](repeating: [0x01, 0x85, 0x00, 0x00], count: 1_000).flatMap(\.self)
        let bench = try ChipReaderBench()
        try await bench.run {
            bench.program.present(.raw(flood))
            try await bench.events.next(.note("nfc-helper-babbles"))
            try await bench.events.next(.ended("exit", Self.answered))
        }
    }

    @Test func aProgramThatIsNotThereYetIsWaitedFor() async throws {
        let bench = try ChipReaderBench()
        try bench.readers.start()
        try await bench.events.next(.state("exit", "reader-failed"))
        #expect(bench.readers.state(of: "exit") == .failed(LinkFault(code: "nfc-helper-absent", message: "")))
        try bench.program.start()
        try await bench.events.next(.state("exit", "reader-ready"))
        bench.stop()
    }

    /// A reset line that fixes the chip.
    private struct FixingLine: ResetLine {
        let program: ProgramStandIn

        func pull() throws(LinkFault) {
            program.request { $0.failure = nil }
        }
    }

    @Test func aChipThatOnlyItsResetLineFixesIsBackByItself() async throws {
        let bench = try ChipReaderBench()
        let line = FixingLine(program: bench.program)
        let readers = try GateReaders(
            pcsc: [], chips: [try Self.binding(bench.program, resetLine: line)], onPresentation: { _, _ in .done },
            onChange: { [events = bench.events] in events.record(.state($0, $1.code)) })
        bench.program.request { $0.failure = .chipSilent }
        try bench.program.start()
        try readers.start()
        try await bench.events.next(.state("exit", "reader-recovering"))
        try await bench.events.next(.state("exit", "reader-ready"))
        let counts = readers.recovery(of: "exit") ?? RecoveryCounts()
        #expect([counts[.abort], counts[.reopen], counts[.resetLine], counts[.restart]] == [0, 1, 1, 0])
        readers.stop()
        bench.program.stop()
    }

    private static func binding(_ program: ProgramStandIn, resetLine: any ResetLine) throws -> ChipReaderBinding {
        let setup = try ReaderSetup(device: "d", wakeUpFrame: [], cycleMilliseconds: 200, exchangeMilliseconds: 1_600)
        return ChipReaderBinding(name: "exit", socket: program.path, setup: setup, resetLine: resetLine)
    }

    @Test func aStopEndsThePresentationAndTheProgram() async throws {
        let bench = try ChipReaderBench()
        try bench.program.start()
        try bench.readers.start()
        bench.program.present(.silence)
        try await bench.program.events.next("a command") { if case .order(.command) = $0 { true } else { false } }
        bench.readers.stop()
        try await bench.events.next(.ended("exit", [.failure(.timedOut)]))
        try await bench.program.events.next(.disconnected)
        #expect(!bench.events.all.contains(.note("reader-thread-left-behind")))
        bench.program.stop()
    }
}
