/// Watches over one file that is being fetched: counts bytes and time itself, and believes nothing of what the program says of them.
///
/// Times are monotonic milliseconds. After a throw it is over.
public struct FetchWatch: Sendable {
    private enum Stage: Sendable {
        /// The server has not answered.
        case waiting
        /// It has; so many bytes have come behind its answer.
        case answered(FetchHead, received: Int64)
        /// Nothing more may come.
        case over
    }

    /// A program that says nothing for so long has died or hangs.
    public static let silenceMilliseconds: Int64 = 10_000
    /// A program that is being started may be silent for so long: on a small machine that is busy its sandbox alone takes seconds.
    public static let startMilliseconds: Int64 = 30_000
    /// The program has the same bounds of time. So much later it has not kept to them.
    public static let graceMilliseconds: Int64 = 2000

    private let job: FetchJob
    private let deadline: Int64
    private var stage = Stage.waiting
    private var heard: Int64
    private var windowEnd: Int64
    private var receivedInWindow: Int64 = 0

    /// The program was asked for `job` at that time.
    /// - Parameter isStarting: nothing has been heard of it yet.
    public init(_ job: FetchJob, at now: Int64, isStarting: Bool = false) {
        self.job = job
        heard = isStarting ? now + Self.startMilliseconds - Self.silenceMilliseconds : now
        deadline = now + job.milliseconds + Self.graceMilliseconds
        windowEnd = now + job.windowMilliseconds + Self.graceMilliseconds
    }

    /// When to ask `passed` at the latest.
    public var wakeAt: Int64 { min(deadline, windowEnd, heard + Self.silenceMilliseconds) }

    /// Time has passed, and nothing has come.
    public mutating func passed(to now: Int64) throws(FetchBreach) {
        guard now < deadline else { throw .late }
        guard now - heard < Self.silenceMilliseconds else { throw .silent }
        guard now >= windowEnd else { return }
        let (wanted, isBeyond) = job.minimumRate.multipliedReportingOverflow(by: job.windowMilliseconds)
        guard !isBeyond, receivedInWindow >= wanted / 1000 else { throw .slow }
        windowEnd = now + job.windowMilliseconds
        receivedInWindow = 0
    }

    /// The program has said something.
    public mutating func receive(_ report: FetchReport, at now: Int64) throws(FetchBreach) -> FetchStep {
        // Whoever had no time to listen does not take it for silence.
        heard = now
        try passed(to: now)
        switch report {
        case .beat: return .nothing
        case .head(let head): return try handle(head)
        case .bytes(let bytes): return try handle(bytes)
        case .end: return try end()
        case .failed(let fault):
            if case .over = stage { throw .outOfTurn("a failure after the end") }
            stage = .over
            throw .failed(fault)
        }
    }

    private mutating func handle(_ head: FetchHead) throws(FetchBreach) -> FetchStep {
        guard case .waiting = stage else { throw .outOfTurn("a second answer") }
        guard head.status != 206 || job.offset > 0 else { throw .outOfTurn("a part of a file of which all was asked for") }
        guard head.status != 304 || job.etag != nil else { throw .outOfTurn("an unchanged file that was never there") }
        stage = .answered(head, received: 0)
        if head.hasContent, let length = head.length, length > room(head) { throw .endless }
        return .head(head)
    }

    private mutating func handle(_ bytes: [UInt8]) throws(FetchBreach) -> FetchStep {
        guard case .answered(let head, let received) = stage, head.hasContent else { throw .outOfTurn("bytes of no file") }
        let sum = received + Int64(bytes.count)
        guard sum <= room(head) else { throw .endless }
        stage = .answered(head, received: sum)
        receivedInWindow += Int64(bytes.count)
        return .bytes(bytes)
    }

    private mutating func end() throws(FetchBreach) -> FetchStep {
        guard case .answered(let head, let received) = stage else { throw .outOfTurn("the end of what has not begun") }
        if head.hasContent, let length = head.length, length != received { throw .outOfTurn("an end after \(received) of \(length) bytes") }
        stage = .over
        return .end
    }

    /// How many bytes may follow that answer.
    private func room(_ head: FetchHead) -> Int64 { head.status == 206 ? job.mostBytes - job.offset : job.mostBytes }
}

/// What a report of the program means for the file that was asked for.
public enum FetchStep: Hashable, Sendable {
    /// Nothing; the program lives.
    case nothing
    /// The server has answered.
    case head(FetchHead)
    /// These bytes come next.
    case bytes([UInt8])
    /// It is over, and no bound was exceeded. Whether the file is the right one is for others to say.
    case end
}
