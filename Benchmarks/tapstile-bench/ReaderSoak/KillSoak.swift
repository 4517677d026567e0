import Glibc
import Readers
import Threads
import VirtualPhone

/// The program of a PN532 killed under taps, again and again, at each step of a conversation. The phone that lies there is served by the
/// next one; nothing opens without a grant, and nothing is left behind.
struct KillSoak {
    let gate: InProcessGate
    let programs: TestedPrograms
    let folder: String
    let kills: Int
    let report: Report

    /// The caches of the databases still fill in so few taps. A page lost at each of 500 kills would be as much.
    private static let mostGrowth = 2.0

    /// SELECT, two parts of the proof, and the outcome: a phone that shows its token.
    private static let commands = 4

    func run() throws {
        let warmUp = max(1, min(20, kills / 5))
        report.note("the program of a PN532 is killed \(warmUp) times to warm up, then \(kills) times")
        try Folder.make(folder)
        let program = try NFCProgram(programs, socket: "\(folder)/killed.sock")
        defer { program.stop() }
        let stand = try ChipStand(gate, timing: .none, folder: folder)
        // What the gate keeps of tokens is no growth.
        try gate.learnTokens()
        try stand.start(socket: program.socket, device: "\(folder)/pn532")
        defer { stand.stop() }
        for number in 0..<warmUp { _ = try kill(number, stand, program.servers) }
        let own = ProcessFacts(identifier: getpid())
        let first = Sample(own)
        var (samples, times) = ([Sample](), Samples())
        for number in 0..<kills {
            times.add(try kill(number, stand, program.servers))
            if (number + 1) % max(1, kills / 10) == 0 {
                let sample = Sample(own)
                samples.append(sample)
                report.note("\(number + 1) kills: \(sample.memory) MiB, \(sample.descriptors) descriptors, \(sample.threads) threads")
            }
        }
        report.add("kill-to-grant-p50", times.median, "s")
        report.add("kill-to-grant-largest", times.largest, "s", bar: 5)
        record(first, samples)
        report.add("kill-wrongly-opened", Double(gate.watch.relays - gate.watch.grants), "edges", bar: 0)
    }

    private struct Sample {
        let memory: Double
        let descriptors: Int
        let threads: Int

        init(_ facts: ProcessFacts) {
            (memory, descriptors, threads) = (facts.resident, facts.descriptors, facts.threads)
        }
    }

    private func record(_ first: Sample, _ samples: [Sample]) {
        report.add("kill-memory-growth", (samples.last?.memory ?? 0) - first.memory, "MiB", bar: kills >= 500 ? Self.mostGrowth : nil)
        report.add("kill-descriptors-growth", Double((samples.map(\.descriptors).max() ?? 0) - first.descriptors), "descriptors", bar: 0)
        report.add("kill-threads-growth", Double((samples.map(\.threads).max() ?? 0) - first.threads), "threads", bar: 0)
    }

    /// One phone, under which the program is killed at one of its commands. Seconds from there to its being let in, or to the reader's being
    /// back where the gate had opened already.
    private func kill(_ number: Int, _ stand: ChipStand, _ servers: NFCProgram.Servers) throws -> Double {
        let killed = Monitor<(at: Int64, left: Int)>((0, number % Self.commands + 1))
        stand.air.forget()
        stand.state.withLock { ($0.taps, $0.queue) = ([], [gate.byValue[number % gate.byValue.count]]) }
        stand.present {
            killed.change { killed in
                killed.left -= 1
                if killed.left == 0 {
                    servers.kill()
                    killed.at = Clock.now
                }
            }
        }
        let at = try killed.wait(for: "the command under which the program is killed") { $0.at > 0 ? $0.at : nil }
        try stand.wait("the reader is missed") { $0.reader.map { !$0.isInService } ?? false ? () : nil }
        try stand.wait("the phone is let in") { $0.taps.isEmpty || $0.reader?.isInService != true ? nil : () }
        let took = Double(Clock.now - at) / 1e9
        try stand.clear()
        return took
    }
}
