import Threads

/// News of readers on their way to whoever is told: one at a time, in the order in which they were put.
///
/// Any thread of the room calls. `queue` guards what waits, and is free while something is told: whoever is told may take locks
/// of his own, and be asked about readers meanwhile.
final class ReaderNews: Sendable {
    private struct Item {
        let reader: ReaderName
        let state: ReaderState
    }

    private struct Queue {
        var waiting: [Item] = []
        var isTelling = false
        /// How many were put, and how many of these were told.
        var put = 0
        var notified = 0
    }

    private let queue = Monitor(Queue())
    private let onChange: GateReaders.OnChange

    init(_ onChange: @escaping GateReaders.OnChange) { self.onChange = onChange }

    /// Gives news their place. Whoever puts some calls `notify` after it, without a lock.
    func put(_ reader: ReaderName, _ state: ReaderState) {
        queue.withLock { queue in
            queue.waiting.append(Item(reader: reader, state: state))
            queue.put += 1
        }
    }

    /// Returns when everything that was put before has been told, by this thread or by another one.
    func notify() {
        let last = queue.withLock(\.put)
        while let item = next(upTo: last) {
            onChange(item.reader, item.state)
            queue.change { queue in
                queue.notified += 1
                queue.isTelling = false
            }
        }
    }

    /// The next to be told, once nobody else is telling; nil when there is nothing left for the caller.
    private func next(upTo last: Int) -> Item? {
        queue.wait { queue -> Item?? in
            if queue.notified >= last { return .some(nil) }
            guard !queue.isTelling else { return nil }
            queue.isTelling = true
            return .some(queue.waiting.removeFirst())
        }
    }
}
