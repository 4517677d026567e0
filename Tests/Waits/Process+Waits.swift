import Foundation
import Threads

extension Process {
    /// Waits for the end of the program, and reads its pipes to theirs. A program that takes too long is killed.
    /// - Returns: what it said into each of the pipes.
    @discardableResult
    public func finish(
        reading pipes: [Pipe] = [], fileID: String = #fileID, line: Int = #line
    ) throws(WaitedInVain) -> [String] {
        let deadline = WaitLimit.deadline
        var said: [[UInt8]] = []
        var isWhole = true
        for pipe in pipes {
            let (bytes, hasEnded) = whatComes(from: pipe.fileHandleForReading.fileDescriptor, until: deadline)
            said.append(bytes)
            isWhole = isWhole && hasEnded
        }
        while isRunning && MonotonicTime.milliseconds < deadline { usleep(1000) }
        let texts = said.map { String(decoding: $0, as: UTF8.self) }
        if isWhole && !isRunning { return texts }
        if isRunning { kill(processIdentifier, SIGKILL) }
        let program = executableURL?.lastPathComponent ?? "a program"
        throw WaitedInVain("the end of \(program)", instead: texts.joined(separator: "\n"), fileID: fileID, line: line)
    }
}

/// What comes until that monotonic time in milliseconds, and whether its end came too.
private func whatComes(from descriptor: Int32, until deadline: Int64) -> (bytes: [UInt8], hasEnded: Bool) {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while canBeRead(descriptor, withinMilliseconds: max(0, deadline - MonotonicTime.milliseconds)) {
        let count = read(descriptor, &piece, piece.count)
        guard count > 0 else { return (bytes, true) }
        bytes += piece[..<count]
    }
    return (bytes, false)
}
