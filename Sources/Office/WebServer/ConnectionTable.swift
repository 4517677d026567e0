import CMicroHTTPD
import Threads

/// Who is connected, and since when each waits for its next answer: what takes too long is ended.
///
/// libmicrohttpd's threads begin and remove, `end(before:)` runs on the server's own. A descriptor is ended under the lock and removed before
/// libmicrohttpd closes it: so none is touched that is somebody else's already.
final class ConnectionTable: Sendable {
    /// By descriptor: when it was connected, or had its last answer, monotonic milliseconds.
    private let since = Mutex<[Int32: Int64]>([:])

    /// From now on the time counts.
    func begin(_ descriptor: Int32) {
        let now = MonotonicTime.milliseconds
        since.withLock { $0[descriptor] = now }
    }

    func remove(_ descriptor: Int32) { since.withLock { $0[descriptor] = nil } }

    /// How many there are.
    var count: Int { since.withLock { $0.count } }

    /// Ends all whose time began before that one.
    func end(before time: Int64) {
        since.withLock { table in
            for (descriptor, begun) in table where begun < time { cmhd_end(descriptor) }
        }
    }
}
