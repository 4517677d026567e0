import CLinux

/// A value behind a lock, with a condition to wait for changes of it.
///
/// `@unchecked Sendable`: the value is reached only inside `withLock` and `wait`, which hold the lock, so
/// at any time at most one thread sees it, whatever it is made of.
final class Guarded<Value>: @unchecked Sendable {
    private let monitor: OpaquePointer
    private var value: Value

    init(_ value: consuming Value) {
        self.value = value
        monitor = clinux_monitor_create()
    }

    deinit { clinux_monitor_destroy(monitor) }

    /// Takes the lock, changes or reads the value, gives the lock back.
    func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        clinux_monitor_lock(monitor)
        defer { clinux_monitor_unlock(monitor) }
        return try body(&value)
    }

    /// Like `withLock`, and wakes all who wait.
    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        clinux_monitor_lock(monitor)
        defer {
            clinux_monitor_wake_all(monitor)
            clinux_monitor_unlock(monitor)
        }
        return body(&value)
    }

    /// Asks `body` until it answers something, sleeping between changes.
    /// - Parameter deadline: called before each sleep; the monotonic time in nanoseconds at which to give
    ///   up and answer nil, or nil to wait without end. Time already past asks once and does not sleep.
    func wait<Result>(
        until deadline: (Value) -> Int64?, _ body: (inout Value) -> Result?
    ) -> Result? {
        clinux_monitor_lock(monitor)
        defer { clinux_monitor_unlock(monitor) }
        while true {
            if let result = body(&value) { return result }
            guard let end = deadline(value) else {
                clinux_monitor_wait(monitor)
                continue
            }
            // Zero says the time has come; the value may have changed at the same moment.
            if clinux_monitor_wait_until(monitor, end) == 0 { return body(&value) }
        }
    }
}
