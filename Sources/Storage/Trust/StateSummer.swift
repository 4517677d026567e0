import Threads
import TrustSync

/// Sums up what the records of a state come to on a thread of its own, while the one that reads them writes their rows: with a million people
/// each of the two takes seconds. The thread gives way to taps as much as the one that made it.
final class StateSummer {
    /// Entries are handed over by so many, and so many hands full wait at most: they are in memory until then.
    private static let handful = 512
    private static let mostWaiting = 2

    private struct Queue {
        var waiting: [[BundleEntry]] = []
        var isOver = false
        var sum: StateSum?
    }

    private let queue = Monitor(Queue())
    private let worker: Worker?
    private var hand: [BundleEntry] = []
    /// Where the system granted no thread.
    private var here = (sum: StateSum(), elements: ElementMaker())

    init() {
        let queue = queue
        worker = try? Worker(name: "state-sum") { Self.sumUp(queue) }
    }

    deinit {
        queue.change { $0.isOver = true }
        worker?.join()
    }

    /// Counts in the record that an entry puts.
    func add(_ entry: BundleEntry) {
        guard worker != nil else { return here.sum.add(entry, by: here.elements) }
        hand.append(entry)
        guard hand.count == Self.handful else { return }
        queue.wait { $0.waiting.count < Self.mostWaiting ? () : nil }
        handOver()
    }

    private func handOver() {
        let full = hand
        hand = []
        hand.reserveCapacity(Self.handful)
        queue.change { $0.waiting.append(full) }
    }

    /// The sum of all that was counted in; called once.
    func finish() -> StateSum {
        guard worker != nil else { return here.sum }
        handOver()
        queue.change { $0.isOver = true }
        return queue.wait { $0.sum }
    }

    private static func sumUp(_ queue: Monitor<Queue>) {
        let elements = ElementMaker()
        var sum = StateSum()
        while let entries = next(queue) { for entry in entries { sum.add(entry, by: elements) } }
        queue.change { $0.sum = sum }
    }

    /// Nil at the end.
    private static func next(_ queue: Monitor<Queue>) -> [BundleEntry]? {
        let entries: [BundleEntry]? = queue.wait { queue in
            if !queue.waiting.isEmpty { return .some(queue.waiting.removeFirst()) }
            return queue.isOver ? .some(nil) : nil
        }
        // There is room again.
        queue.change { _ in }
        return entries
    }
}
