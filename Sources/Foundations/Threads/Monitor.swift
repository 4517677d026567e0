import CLinux

/// A value behind a lock that threads can wait on. `Mutex` serves where nobody waits.
///
/// `@unchecked Sendable`: the lock and its condition are C objects, which the compiler cannot see. The value
/// is only ever touched between lock and unlock, so at most one thread sees it at any time. What a closure
/// hands out of the lock must be a copy, or be lent so that nobody else has it meanwhile.
///
/// Inlinable: a journal ticket or a reader's state is asked several times for each presentation, and must
/// cost there what it would cost in its own room.
public final class Monitor<State>: @unchecked Sendable {
    @usableFromInline let raw: OpaquePointer
    @usableFromInline var state: State

    /// Takes the value over.
    @inlinable
    public init(_ state: sending State) {
        self.state = state
        raw = clinux_monitor_create()
    }

    @inlinable
    deinit { clinux_monitor_destroy(raw) }

    /// Looks at the value or changes it. Wakes nobody.
    @inlinable
    public func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        return try body(&state)
    }

    /// Changes the value and lets everyone who waits look at it: after the lock is free, so that nobody is
    /// woken only to find it taken.
    @inlinable
    public func change<Result>(_ body: (inout State) -> Result) -> Result {
        defer { clinux_monitor_wake_all(raw) }
        return withLock(body)
    }

    /// Waits until `body` answers something. It is asked at once and after every change, under the lock.
    @inlinable
    public func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        while true {
            if let result = body(&state) { return result }
            clinux_monitor_wait(raw)
        }
    }

    /// Waits until `body` answers something or that monotonic time (nanoseconds) has come. `body` is asked
    /// once more then: the value may have changed at the same moment.
    @inlinable
    public func wait<Result>(untilNanoseconds deadline: Int64, _ body: (inout State) -> Result?) -> Result? {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        while true {
            if let result = body(&state) { return result }
            if clinux_monitor_wait_until(raw, deadline) == 0 { return body(&state) }
        }
    }

    /// Waits until `look` finds something to do. For waits whose end depends on the value: `look` says anew
    /// each time how long it may sleep.
    @inlinable
    public func waitForStep<Found>(_ look: (inout State) -> WaitStep<Found>) -> Found {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        while true {
            switch look(&state) {
            case .proceed(let found): return found
            case .wait(until: nil): clinux_monitor_wait(raw)
            case .wait(until: .some(let time)): _ = clinux_monitor_wait_until(raw, MonotonicTime.nanoseconds(atMilliseconds: time))
            }
        }
    }
}

extension Monitor {
    /// `waitForStep` for the place where a loop waits for its work: declares the wait, and wakes now and then
    /// to declare it anew. Any other wait on a loop's thread is part of its own code and must be short.
    public func waitForStep<Found>(_ loop: Loop, _ look: (inout State) -> WaitStep<Found>) -> Found {
        defer { loop.comesRound() }
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        while true {
            switch look(&state) {
            case .proceed(let found): return found
            case .wait(until: let time):
                let wake = loop.waits()
                _ = clinux_monitor_wait_until(raw, MonotonicTime.nanoseconds(atMilliseconds: min(time ?? wake, wake)))
                guard let seam = loop.seam else { continue }
                clinux_monitor_unlock(raw)
                seam(loop.name)
                clinux_monitor_lock(raw)
            }
        }
    }

    /// `wait` for the place where a loop waits for its work.
    public func wait<Result>(_ loop: Loop, _ body: (inout State) -> Result?) -> Result {
        waitForStep(loop) { state in body(&state).map { .proceed($0) } ?? .wait(until: nil) }
    }
}

/// What a waiting thread finds when it looks at the shared value.
public enum WaitStep<Found> {
    /// There is something to do.
    case proceed(Found)
    /// Nothing yet. Look again when woken, or at that monotonic time in milliseconds.
    case wait(until: Int64?)
}

/// The monotonic clock: it only ever grows, from an arbitrary start, and is never wall-clock time.
public enum MonotonicTime {
    /// Now.
    public static var nanoseconds: Int64 { clinux_monotonic_nanoseconds() }
    /// Now.
    public static var microseconds: Int64 { clinux_monotonic_nanoseconds() / 1000 }
    /// Now.
    public static var milliseconds: Int64 { clinux_monotonic_nanoseconds() / 1_000_000 }

    /// That time in nanoseconds; what is too far away for them, as far away as they go.
    public static func nanoseconds(atMilliseconds milliseconds: Int64) -> Int64 {
        let product = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard product.overflow else { return product.partialValue }
        return milliseconds < 0 ? .min : .max
    }
}
