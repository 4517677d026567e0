import CLinux

/// A value behind a lock that threads can wait on. `Mutex` (module Synchronization) serves where nobody waits.
///
/// The lock and its condition are C objects, which the compiler cannot see: the value is only ever
/// touched between lock and unlock, hence `@unchecked`.
public final class Monitor<State: Sendable>: @unchecked Sendable {
    private let raw: OpaquePointer
    private var state: State

    public init(_ state: State) {
        self.state = state
        raw = clinux_monitor_create()
    }

    deinit { clinux_monitor_destroy(raw) }

    /// Looks at the value or changes it. Wakes nobody.
    public func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        return try body(&state)
    }

    /// Changes the value and wakes everyone who waits.
    public func change<Result>(_ body: (inout State) -> Result) -> Result {
        defer { wakeAll() }
        return withLock(body)
    }

    /// Wakes everyone who waits.
    public func wakeAll() { clinux_monitor_wake_all(raw) }

    /// Waits until `body` answers something. It is asked at once and after every wake-up, under the lock.
    public func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        while true {
            if let result = body(&state) { return result }
            clinux_monitor_wait(raw)
        }
    }

    /// Waits until `body` answers something or that monotonic time (nanoseconds) has come.
    public func wait<Result>(untilNanoseconds deadline: Int64, _ body: (inout State) -> Result?) -> Result? {
        clinux_monitor_lock(raw)
        defer { clinux_monitor_unlock(raw) }
        while true {
            if let result = body(&state) { return result }
            if clinux_monitor_wait_until(raw, deadline) == 0 { return body(&state) }
        }
    }
}
