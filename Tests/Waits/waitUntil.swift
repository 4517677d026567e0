import Glibc
import Threads

/// Looks again and again until `fits` likes what it sees. For what tells nobody that it has changed.
/// - Parameter what: what is waited for, for somebody who reads a red run.
@discardableResult
public func waitUntil<Seen>(
    _ what: String, fileID: String = #fileID, line: Int = #line, _ look: () throws -> Seen, fits: (Seen) throws -> Bool
) throws -> Seen {
    let deadline = WaitLimit.deadline
    while true {
        // The time before the look: it sees what has come by then.
        let isLast = MonotonicTime.milliseconds >= deadline
        let seen = try look()
        if try fits(seen) { return seen }
        if isLast { throw WaitedInVain(what, instead: "\(seen)", fileID: fileID, line: line) }
        usleep(1000)
    }
}

/// The same where there is nothing to show but that it is not so.
public func waitUntil(
    _ what: String, fileID: String = #fileID, line: Int = #line, _ isSo: () throws -> Bool
) throws {
    try waitUntil(what, fileID: fileID, line: line, isSo) { $0 }
}
