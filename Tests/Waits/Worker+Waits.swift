import Threads

extension Worker {
    /// `join`, but not for ever.
    public func waitForEnd(fileID: String = #fileID, line: Int = #line) throws(WaitedInVain) {
        if ends(byMonotonicMilliseconds: WaitLimit.deadline) { return }
        throw WaitedInVain("the end of the thread '\(name)'", instead: "a thread that runs", fileID: fileID, line: line)
    }
}
