import Glibc
import Service

/// What this process holds while nobody taps.
struct SoakSample: Sendable {
    /// Looks that make one sample.
    private static let looks = 10

    /// Resident memory in MiB.
    let memory: Double
    /// What is allocated of it, in MiB, with the little that each thread keeps ready for itself. A leak shows here, and
    /// the room between allocations does not.
    let allocated: Double
    /// Open descriptors.
    let descriptors: Int
    /// Threads.
    let threads: Int
    /// The journal's files in MiB.
    let journal: Double

    /// Takes a sample. The journal opens its log for a moment whenever it moves it into the database,
    /// so that the fewest of several looks count.
    static func measure(journalIn folder: String) -> SoakSample {
        let process = ProcessFacts(identifier: getpid())
        var descriptors = Int.max
        var threads = Int.max
        for _ in 0..<looks {
            descriptors = min(descriptors, process.descriptors)
            threads = min(threads, process.threads)
            Clock.pause(milliseconds: 20)
        }
        let journal = Folder.names(in: folder).filter { $0.hasPrefix("journal") }
        return SoakSample(memory: process.resident, allocated: Double(ProcessHeap.bytesInUse) / 1_048_576,
                          descriptors: descriptors, threads: threads,
                          journal: journal.reduce(0) { $0 + Folder.mebibytes("\(folder)/\($1)") })
    }
}
