import Glibc
import Threads

/// Waits until a descriptor has something to read, or its end.
public func waitForInput(
    _ descriptor: Int32, _ what: String, fileID: String = #fileID, line: Int = #line
) throws(WaitedInVain) {
    if canBeRead(descriptor, withinMilliseconds: Int64(WaitLimit.milliseconds)) { return }
    throw WaitedInVain(what, instead: "", fileID: fileID, line: line)
}

/// Signals do not end it.
func canBeRead(_ descriptor: Int32, withinMilliseconds patience: Int64) -> Bool {
    let deadline = MonotonicTime.milliseconds + patience
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
        let left = max(0, deadline - MonotonicTime.milliseconds)
        let count = poll(&waiting, 1, Int32(clamping: left))
        if count >= 0 || errno != EINTR { return count != 0 }
    }
}
