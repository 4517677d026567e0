import CMicroHTTPD
import Threads

/// Who answers for a listener: all that libmicrohttpd's threads need.
final class Answering: Sendable {
    let policy: WebPolicy
    let limits: WebLimits
    /// A web server in front says from where requests come.
    let isBehindServer: Bool
    let table: ConnectionTable
    private let log: @Sendable (String) -> Void
    let tooLong: WebAnswer
    private let handler: WebServer.Handler
    private let atWork = Mutex(0)
    private let line = Mutex("")

    init(policy: WebPolicy, limits: WebLimits, isBehindServer: Bool, table: ConnectionTable, tooLong: WebAnswer?,
         log: @escaping @Sendable (String) -> Void, handler: @escaping WebServer.Handler) {
        (self.policy, self.limits, self.isBehindServer, self.table) = (policy, limits, isBehindServer, table)
        self.tooLong = tooLong ?? .text("The body is longer than \(limits.bodyBytes) bytes.", status: 413)
        (self.log, self.handler) = (log, handler)
    }

    /// Somebody is being answered.
    var isAnswering: Bool { atWork.withLock { $0 > 0 } }
    /// What libmicrohttpd said last.
    var lastLine: String { line.withLock { $0 } }

    func note(_ text: String) {
        let text = String(text.prefix { $0 != "\n" })
        line.withLock { $0 = text }
        log(text)
    }

    func begins() { atWork.withLock { $0 += 1 } }
    func ended() { atWork.withLock { $0 -= 1 } }

    /// Whether a connection ends with its next answer: it is old, or half of all that there may be are taken. Who keeps asking keeps nobody else out.
    func isLast(on descriptor: Int32) -> Bool {
        table.count * 2 > limits.connections || table.age(of: descriptor) > Int64(limits.requestSeconds) * 1000
    }

    /// The answer, which is never one that cannot be sent.
    func answer(_ request: WebRequest) -> WebAnswer {
        let answer = handler(request)
        return answer.isWellFormed ? answer : .text("The answer cannot be sent.", status: 500)
    }

    /// What is answered before the body is read; nil: it is read.
    /// - Parameters:
    ///   - lengths: of the body, as its header says, however often it is there.
    func refusal(method: String, lengths: [String], isChunked: Bool) -> WebAnswer? {
        guard let method = WebRequest.Method(rawValue: method) else {
            return .text("This method is not served.", status: 405, headers: [("Allow", WebRequest.Method.allCases.map(\.rawValue).joined(separator: ", "))])
        }
        guard !isChunked else { return .text("Say how long the body is.", status: 411) }
        guard lengths.count < 2 else { return .text("Say once how long the body is.", status: 400) }
        guard let length = lengths.first else { return method.onlyReads ? nil : .text("Say how long the body is.", status: 411) }
        guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let bytes = Int(length), bytes <= limits.bodyBytes else {
            return tooLong
        }
        return method.onlyReads && bytes > 0 ? .text("This method has no body.", status: 400) : nil
    }
}
