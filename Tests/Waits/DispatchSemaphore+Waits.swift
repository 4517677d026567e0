import Dispatch

extension DispatchSemaphore {
    /// `wait`, but not for ever.
    public func wait(for what: String, fileID: String = #fileID, line: Int = #line) throws(WaitedInVain) {
        if wait(timeout: .now() + .seconds(WaitLimit.seconds)) == .success { return }
        throw WaitedInVain(what, instead: "", fileID: fileID, line: line)
    }

    /// Holds the calling thread up until a test signals. If it never does, the thread goes on by itself and the run
    /// fails.
    /// - Parameter who: whom the test holds up: "the disk".
    public func hold(_ who: String, fileID: String = #fileID, line: Int = #line) {
        if wait(timeout: .now() + .seconds(WaitLimit.secondsOfHold)) == .success { return }
        WaitedInVain(
            "the test to let \(who) go", instead: "", seconds: WaitLimit.secondsOfHold, fileID: fileID, line: line
        ).report()
    }
}
