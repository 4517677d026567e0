import Credentials
import Glibc
import Storage

// Taps as fast as the journal takes them, in the folder named by the first argument, and says on its
// output what has been acknowledged, one line each. It never ends by itself: JournalCrashTests kill it.

func write(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

let clock: @Sendable () -> JournalTime = {
    JournalTime(wallMilliseconds: 1_767_225_600_000, trust: .synchronised, monotonicMilliseconds: 0)
}

do {
    let (journal, recovery) = try Journal.open(
        directory: CommandLine.arguments[1], boot: [1], settings: JournalSettings(maximumRecords: 400), time: clock)
    write("opened \(recovery.closedAttempts) \(recovery.setAside == nil) \(recovery.missingAfter == nil)")
    var lane = 0
    while true {
        lane = (lane + 1) % 3
        let attempt = journal.append(JournalEntry(kind: .attempt, time: clock(), lane: "lane-\(lane)"))
        let outcome = journal.append(JournalEntry(
            kind: .outcome, time: clock(), lane: "lane-\(lane)", attempt: attempt.sequence, reason: "granted",
            evidence: [UInt8](repeating: 0xee, count: 600),
            effects: [.present(Presence(person: PersonDigest(subject: "ada"), zone: "hall", since: Int64(attempt.sequence)))]))
        guard case .durable(let sequence, let head) = outcome.wait(milliseconds: 60_000) else { exit(2) }
        let hash = head.hash.map { String($0, radix: 16) }.joined(separator: ".")
        write("durable \(sequence) \(hash)")
    }
} catch {
    write("failed \(error.message)")
    exit(1)
}
