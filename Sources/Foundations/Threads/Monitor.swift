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
