import Threads

/// Makes a call that may never return on a thread of its own, which is left behind if it does not.
/// - Parameter what: what is waited for, for somebody who reads a red run: "the channel's end".
@discardableResult
public func inTime<Answer: Sendable>(
    _ what: String, fileID: String = #fileID, line: Int = #line, _ call: @escaping @Sendable () throws -> Answer
) throws -> Answer {
    let answer = Monitor<Result<Answer, any Error>?>(nil)
    let worker = try Worker(name: "in-time") {
        let came = Result { try call() }
        answer.change { $0 = came }
    }
    let came = try answer.wait(for: what, fileID: fileID, line: line) { $0 }
    try worker.waitForEnd(fileID: fileID, line: line)
    return try came.get()
}
