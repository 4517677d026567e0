import Storage
import Threads

/// A walk along both chains of the journal that a gate has left behind.
enum JournalWalk {
    /// What is wrong with them, and attempts without outcome.
    static func faults(in folder: String) throws -> [String] {
        let (journal, recovery) = try Journal.open(directory: folder, boot: [], time: {
            JournalTime(wallMilliseconds: UnixTime.now * 1000, trust: .synchronised, monotonicMilliseconds: MonotonicTime.milliseconds)
        })
        defer { journal.close() }
        var faults: [String] = []
        if recovery.closedAttempts > 0 { faults.append("\(recovery.closedAttempts) attempts had no outcome") }
        for partition in JournalPartition.allCases {
            if case .broken(let sequence, let why) = try journal.verify(partition) {
                faults.append("record \(sequence) of the \(partition.rawValue) chain: \(why)")
            }
        }
        return faults
    }
}
