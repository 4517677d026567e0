import CLinux

/// A value that several threads share, and the wait for it to become interesting.
///
/// Unchecked because the compiler cannot see the lock: `state` is touched only between
/// `clinux_monitor_lock` and `clinux_monitor_unlock`.
final class Monitor<State>: @unchecked Sendable {
    private let handle: OpaquePointer
    private var state: State

    init(_ state: sending State) {
        self.handle = clinux_monitor_create()
        self.state = state
    }

    deinit {
        clinux_monitor_destroy(handle)
    }

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        clinux_monitor_lock(handle)
        defer { clinux_monitor_unlock(handle) }
        return body(&state)
    }

    /// Changes the state and lets every waiting thread look at it.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        clinux_monitor_lock(handle)
        defer { clinux_monitor_unlock(handle) }
        let result = body(&state)
        clinux_monitor_wake_all(handle)
        return result
    }

    /// Looks at the state, again after each change, until there is something to do.
    func wait<Found>(_ look: (inout State) -> WaitStep<Found>) -> Found {
        clinux_monitor_lock(handle)
        defer { clinux_monitor_unlock(handle) }
        while true {
            switch look(&state) {
            case .proceed(let found): return found
            case .wait(until: nil): clinux_monitor_wait(handle)
            case .wait(until: .some(let time)): _ = clinux_monitor_wait_until(handle, time * 1_000_000)
            }
        }
    }
}
