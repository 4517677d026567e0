import SiteData
import Threads

/// Sums up what the records of a state come to on a thread of its own, while another one writes their rows: with a million people each of the
/// two takes seconds. The thread gives way to taps as much as the one that made it.
final class StateSummer {
    private let channel = Channel<[BundleEntry]>(most: PeopleAhead.mostUnderWay)
    private let sum = Monitor(StateSum())
    /// Nil where the system granted no thread.
    let worker: Worker?
    /// For that case.
    private let elements = ElementMaker()

    init() {
        let channel = channel, sum = sum
        worker = try? Worker(name: "state-sum") {
            let elements = ElementMaker()
            while let entries = channel.next() { Self.add(entries, to: sum, by: elements) }
        }
    }

    deinit {
        channel.close()
        worker?.join()
    }

    /// Counts in the records that entries put.
    func add(_ entries: [BundleEntry]) {
        guard worker != nil else { return Self.add(entries, to: sum, by: elements) }
        channel.send(entries)
    }

    /// The sum of all that was counted in; called once.
    func finish() -> StateSum {
        channel.close()
        worker?.join()
        return sum.withLock { $0 }
    }

    private static func add(_ entries: [BundleEntry], to sum: Monitor<StateSum>, by elements: ElementMaker) {
        sum.withLock { sum in for entry in entries { sum.add(entry, by: elements) } }
    }
}
