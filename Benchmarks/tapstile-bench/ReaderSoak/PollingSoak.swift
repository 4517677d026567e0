import Glibc
import ReaderProtocol
import Readers
import Threads
import VirtualPhone

/// A long time of polling with nobody there, by clocks that go faster: whether the rhythm stays and nothing grows.
struct PollingSoak {
    /// The clocks of the chip and of the program that drives it go so many times as fast as the machine's.
    static let scale = 100
    /// So long the bench waits for a tenth, beyond the time that it takes: other programs may need the machine.
    private static let patience: Int64 = 600_000_000_000

    let folder: String
    let programs: TestedPrograms
    let minutes: Int
    let report: Report

    func run() throws {
        report.note("a PN532 looks for phones for \(minutes) minutes, in a \(Self.scale)th of the time")
        try Folder.make(folder)
        let socket = "\(folder)/polling.sock"
        let program = try ChildProcess([programs.bench, "--chip-reader", socket, "\(Self.scale)"])
        defer { try? program.end() }
        let length = Int64(minutes) * 60_000_000_000
        let watch = RhythmWatch(nanoseconds: length)
        let chip = try VirtualPN532(link: "\(folder)/polled", timing: .bytes(), timeScale: Self.scale, onAir: watch.add)
        let faults = Mutex(0)
        let setup = try ReaderSetup(device: "pn532_uart:\(folder)/polled:115200", wakeUpFrame: ChipStand.announcement,
                                    cycleMilliseconds: ChipStand.cycleMilliseconds, exchangeMilliseconds: 1_600)
        let readers = try GateReaders(
            pcsc: [], chips: [ChipReaderBinding(name: ChipStand.name, socket: socket, setup: setup)],
            onPresentation: { _, _ in .done },
            // Until the program listens there is nobody.
            onChange: { _, state in if !state.isInService, watch.now.cycles > 0 { faults.withLock { $0 += 1 } } })
        try readers.start()
        defer { readers.stop() }
        let samples = try sample(watch, program, length)
        withExtendedLifetime(chip) {}
        record(samples)
        record(watch.now)
        report.add("polling-faults", Double(faults.withLock { $0 }), "faults", bar: 0)
    }

    /// What both processes hold after each tenth.
    private struct Sample {
        let program: Double
        let bench: Double
        let descriptors: Int
        let threads: Int
    }

    private func sample(_ watch: RhythmWatch, _ program: ChildProcess, _ length: Int64) throws(BenchError) -> [Sample] {
        let (driving, own) = (ProcessFacts(identifier: program.identifier), ProcessFacts(identifier: getpid()))
        var samples: [Sample] = []
        for tenth in 1...10 {
            let deadline = Clock.now + length / 10 / Int64(Self.scale) * 20 + Self.patience
            guard watch.wait(forTenths: tenth, untilNanoseconds: deadline) else { throw BenchError("a PN532 does not look for phones any more") }
            let sample = Sample(program: driving.resident, bench: own.resident, descriptors: driving.descriptors + own.descriptors,
                                threads: driving.threads + own.threads)
            samples.append(sample)
            report.note("\(minutes * tenth / 10) minutes: a cycle of \(watch.now.median(ofTenth: tenth - 1)) ms, \(sample.program) MiB, "
                + "\(sample.descriptors) descriptors, \(sample.threads) threads")
        }
        return samples
    }

    private func record(_ samples: [Sample]) {
        guard let first = samples.first, let last = samples.last else { return }
        report.add("polling-memory", last.program, "MiB")
        report.add("polling-memory-growth", last.program - first.program, "MiB", bar: 0.5)
        report.add("polling-descriptors-growth", Double((samples.map(\.descriptors).max() ?? 0) - first.descriptors), "descriptors", bar: 0)
        report.add("polling-threads-growth", Double((samples.map(\.threads).max() ?? 0) - first.threads), "threads", bar: 0)
    }

    /// A long run only says how the rhythm is in its own last tenth: in a short one other programs have a part in it.
    private static let longRun = 60

    private func record(_ rhythm: RhythmWatch.State) {
        let (first, last) = (rhythm.median(ofTenth: 0), rhythm.median(ofTenth: 9))
        report.add("polling-cycles", Double(rhythm.cycles), "cycles")
        report.add("polling-cycle-first-tenth", first, "ms")
        report.add("polling-cycle-last-tenth", last, "ms")
        report.add("polling-cycle-last-over-first", first > 0 ? last / first : 0, "times", bar: minutes >= Self.longRun ? 1.1 : nil)
        report.add("polling-odd-cycles", Double(rhythm.odd), "cycles", bar: 0)
    }
}
