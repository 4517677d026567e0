import CMicroHTTPD
import Invitations
import Threads

/// Who is connected, from where, and since when each waits for its next answer: what takes too long is ended, and so is who has too many.
///
/// libmicrohttpd's threads add, begin and remove, `end(before:)` runs on the server's own. A descriptor is ended under the lock and removed before
/// libmicrohttpd closes it: so none is touched that is somebody else's already.
final class ConnectionTable: Sendable {
    private struct Entry {
        /// Nil where nobody says it.
        let sender: SenderAddress?
        /// When it was connected, monotonic milliseconds.
        let born: Int64
        /// When it was connected, or had its last answer.
        var since: Int64
    }

    /// By descriptor.
    private let entries = Mutex<[Int32: Entry]>([:])

    /// One more is connected. Whoever has more than so many is ended at once.
    /// - Parameter address: of four bytes or sixteen; empty where nobody says it, and nothing is counted.
    func add(_ descriptor: Int32, from address: [UInt8], most: Int) {
        let now = MonotonicTime.milliseconds, sender = address.isEmpty ? nil : SenderAddress(bytes: address)
        entries.withLock { table in
            table[descriptor] = Entry(sender: sender, born: now, since: now)
            guard sender != nil, table.values.count(where: { $0.sender == sender }) > most else { return }
            cmhd_end(descriptor)
        }
    }

    /// From now on the time counts.
    func begin(_ descriptor: Int32) {
        let now = MonotonicTime.milliseconds
        entries.withLock { $0[descriptor]?.since = now }
    }

    func remove(_ descriptor: Int32) { entries.withLock { $0[descriptor] = nil } }

    /// How many there are.
    var count: Int { entries.withLock { $0.count } }

    /// For how long it has been connected, in milliseconds.
    func age(of descriptor: Int32) -> Int64 {
        let now = MonotonicTime.milliseconds
        return entries.withLock { $0[descriptor].map { now - $0.born } ?? 0 }
    }

    /// Ends all whose time began before that one.
    func end(before time: Int64) {
        entries.withLock { table in
            for (descriptor, entry) in table where entry.since < time { cmhd_end(descriptor) }
        }
    }
}
