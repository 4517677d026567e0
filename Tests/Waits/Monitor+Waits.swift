import Threads

extension Monitor {
    /// `wait`, but not for ever.
    /// - Parameter what: what is waited for, for somebody who reads a red run: "the second look".
    public func wait<Found>(
        for what: String, fileID: String = #fileID, line: Int = #line, _ body: (inout State) -> Found?
    ) throws(WaitedInVain) -> Found {
        let deadline = MonotonicTime.nanoseconds(atMilliseconds: WaitLimit.deadline)
        if let found = wait(untilNanoseconds: deadline, body) { return found }
        throw WaitedInVain(what, instead: withLock { "\($0)" }, fileID: fileID, line: line)
    }

    /// Holds the calling thread up while `isHeld`, as a test wants it. If the test never lets it go, it goes on by
    /// itself and the run fails.
    /// - Parameter who: whom the test holds up: "the handler".
    public func hold(_ who: String, fileID: String = #fileID, line: Int = #line, while isHeld: (State) -> Bool) {
        let end = MonotonicTime.nanoseconds + Int64(WaitLimit.secondsOfHold) * 1_000_000_000
        let isFree: Void? = wait(untilNanoseconds: end) { isHeld($0) ? nil : () }
        guard isFree == nil else { return }
        let state = withLock { "\($0)" }
        WaitedInVain(
            "the test to let \(who) go", instead: state, seconds: WaitLimit.secondsOfHold, fileID: fileID, line: line
        ).report()
    }
}
