import Threads

/// How often the refusals of one user are told at the control sockets: whoever may do nothing shall not drown the log either.
///
/// The threads of control sockets call; `users` guards the counts.
final class RefusalPace: Sendable {
    /// What one user was refused in the present minute.
    private struct Minute: Sendable {
        let began: Int64
        var count = 0
    }

    /// So many are told in a minute.
    static let most = 10
    private static let minute: Int64 = 60_000
    private let users = Mutex<[UInt32: Minute]>([:])

    /// Whether this one is told. The last one of its minute says that it is.
    /// - Parameter now: monotonic milliseconds.
    func next(of user: UInt32, at now: Int64) -> Verdict {
        let count = users.withLock { users in
            var minute = users[user] ?? Minute(began: now)
            if now - minute.began >= Self.minute { minute = Minute(began: now) }
            minute.count += 1
            users[user] = minute
            return minute.count
        }
        if count < Self.most { return .logged }
        return count == Self.most ? .loggedLast : .quiet
    }

    /// What is done with a refusal.
    enum Verdict: Hashable, Sendable {
        case logged
        /// It is told, and that others in this minute will not be.
        case loggedLast
        case quiet
    }
}
