import CLinux

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
