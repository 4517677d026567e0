import CLinux

/// One loop's declarations of what it is in. The thread that runs the loop makes them; any thread reads them.
public final class Loop: Sendable {
    /// The thread's name.
    public let name: String
    /// A wait for work is interrupted after so many milliseconds, to declare it anew.
    let round: Int64
    private let declared: Mutex<LoopState>
    private let onRound: (@Sendable (String) -> Void)?

    init(name: String, round: Int64, onRound: (@Sendable (String) -> Void)?) {
        self.name = name
        self.round = round
        self.onRound = onRound
        declared = Mutex(.running(since: MonotonicTime.milliseconds))
    }

    /// What it is in.
    public var state: LoopState { declared.withLock { $0 } }

    /// It has come round: our own code runs from here on.
    public func comesRound() {
        declare(.running(since: MonotonicTime.milliseconds))
        onRound?(name)
    }

    /// It begins to wait for something to do. Answers the monotonic milliseconds at which it must wake to say
    /// so again.
    public func waits() -> Int64 {
        let now = MonotonicTime.milliseconds
        declare(.waiting(since: now))
        return now + round
    }

    /// What a test wants called, outside of every lock.
    var seam: (@Sendable (String) -> Void)? { onRound }

    /// `waits` for calls that wait a number of milliseconds: how many they may, -1 being for ever.
    public func patience(atMost milliseconds: Int32) -> Int32 {
        _ = waits()
        let round = Int32(clamping: round)
        return milliseconds < 0 ? round : min(milliseconds, round)
    }

    private func declare(_ state: LoopState) {
        declared.withLock { $0 = state }
    }

    private func swap(_ state: LoopState) -> LoopState {
        declared.withLock { declared in
            defer { declared = state }
            return declared
        }
    }

    // Whoever runs on the loop's thread ----------------------------------------------------------------

    /// Makes `call` in the name of the loop whose thread this is. A call inside a call is part of the outer
    /// one; on a thread that is no loop's it is only made.
    public static func outside<Result, Failure: Error>(
        _ call: @autoclosure () -> OutsideCall, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let loop = current else { return try body() }
        if case .outside = loop.state { return try body() }
        _ = loop.swap(.outside(call(), since: MonotonicTime.milliseconds))
        defer { loop.declare(.running(since: MonotonicTime.milliseconds)) }
        return try body()
    }

    /// The loop whose thread this is.
    static var current: Loop? {
        clinux_thread_loop().map { Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` as this loop, on a thread that lives no longer.
    func carry(_ body: (Loop) -> Void) {
        clinux_thread_set_loop(Unmanaged.passUnretained(self).toOpaque())
        defer { clinux_thread_set_loop(nil) }
        body(self)
    }
}

/// What a loop of the gate is in, as it declares itself. Times are monotonic milliseconds.
///
/// A loop that waits for its work declares that too, and wakes to do so: a thread that can no longer wake is
/// as bad as one that never comes round.
public enum LoopState: Hashable, Sendable {
    /// Our own code runs since then.
    case running(since: Int64)
    /// It waits for something to do since then.
    case waiting(since: Int64)
    /// It is in a call that the outside may prolong since then.
    case outside(OutsideCall, since: Int64)

    /// How the loop does.
    /// - Parameters:
    ///   - now: monotonic milliseconds.
    ///   - limit: milliseconds within which our own code comes round.
    ///   - amnesty: nothing from before that time counts, for the process as a whole did not run.
    public func verdict(at now: Int64, limit: Int64, amnesty: Int64 = .min) -> LoopVerdict {
        switch self {
        case .running(let since):
            let hung = now - max(since, amnesty)
            return hung > limit ? .stuck("does not come round", milliseconds: hung) : .fine
        case .waiting(let since):
            let hung = now - max(since, amnesty)
            return hung > limit ? .stuck("does not wake", milliseconds: hung) : .fine
        case .outside(let call, let since):
            return Self.verdict(of: call, milliseconds: now - since)
        }
    }

    private static func verdict(of call: OutsideCall, milliseconds: Int64) -> LoopVerdict {
        switch call.patience {
        case .fault(let bound) where milliseconds > bound: .delayed(call, milliseconds: milliseconds)
        case .restart(let bound) where milliseconds > bound: .stuck("waits for \(call.name)", milliseconds: milliseconds)
        case .watchedElsewhere, .fault, .restart: .fine
        }
    }
}

/// How a loop does at a moment.
public enum LoopVerdict: Hashable, Sendable {
    /// It goes round, or waits for no longer than it may.
    case fine
    /// What it waits for outside takes too long. Shown as a fault; no reason for a restart.
    case delayed(OutsideCall, milliseconds: Int64)
    /// It hangs, and a restart is the cure. The text says in what.
    case stuck(String, milliseconds: Int64)
}
