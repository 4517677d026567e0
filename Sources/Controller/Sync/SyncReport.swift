import Encoding

/// How synchronisation stands, for `status` and for whoever follows a run. Times of day are UNIX milliseconds.
struct SyncReport: Equatable, Sendable {
    /// What goes on.
    enum Stage: String, Equatable, Sendable {
        case waiting
        case fetching
        case applying
    }

    /// The end of a run.
    struct End: Equatable, Sendable {
        let run: UInt64
        let time: Int64
        let milliseconds: Int64
        let requests: Int
        let bytes: Int64
        /// What was put to use; nil where there was nothing new.
        var way: String?
        var failure: SyncFailure?
    }

    /// A failure that has not been mended since, and how often it came in a row.
    struct Trouble: Equatable, Sendable {
        let failure: SyncFailure
        let since: Int64
        var count: Int
    }

    /// The server's address.
    var from: String
    var stage = Stage.waiting
    /// The run that goes on, or went on last; 0 before the first.
    var run: UInt64 = 0
    var progress: RepositorySource.Progress?
    var last: End?
    var lastSuccess: Int64?
    var lastChange: Int64?
    var trouble: Trouble?
    /// When the first role expires of those that were verified last, UNIX seconds.
    var expires: Int64?

    init(from: String) { self.from = from }

    /// A run begins.
    mutating func begin(_ run: UInt64) {
        self.run = run
        stage = .fetching
        progress = nil
    }

    /// It has ended.
    mutating func end(_ end: End) {
        stage = .waiting
        progress = nil
        last = end
        if let failure = end.failure {
            let known = trouble.flatMap { $0.failure.code == failure.code ? $0 : nil }
            trouble = Trouble(failure: failure, since: known?.since ?? end.time, count: (known?.count ?? 0) + 1)
        } else {
            trouble = nil
            lastSuccess = end.time
            if end.way != nil { lastChange = end.time }
        }
    }

    /// - Parameter next: when the next run begins, UNIX milliseconds.
    func json(next: Int64?) -> JSON {
        var fields: JSONObject = ["from": .string(from), "state": .string(stage.rawValue), "run": .integer(Int64(clamping: run))]
        if let progress {
            fields["file"] = .string(progress.file)
            fields["received"] = .integer(progress.received)
            fields["length"] = .integer(progress.length)
        }
        fields["lastAttempt"] = last.map { .string(UTCText.make(milliseconds: $0.time)) }
        fields["lastSuccess"] = lastSuccess.map { .string(UTCText.make(milliseconds: $0)) }
        fields["lastChange"] = lastChange.map { .string(UTCText.make(milliseconds: $0)) }
        fields["next"] = next.map { .string(UTCText.make(milliseconds: $0)) }
        fields["expires"] = expires.map { .string(UTCText.make(seconds: $0)) }
        if let trouble {
            fields["failure"] = ["code": .string(trouble.failure.code), "message": .string(trouble.failure.message),
                                 "since": .string(UTCText.make(milliseconds: trouble.since)), "count": .integer(Int64(trouble.count))]
        }
        return .object(fields)
    }

    /// How a run is that somebody asked for: whether it has ended, and how.
    func json(ofRun run: UInt64) -> JSON {
        guard let last, last.run >= run else { return ["run": .integer(Int64(clamping: run)), "state": .string(stage.rawValue), "ended": false] }
        var fields: JSONObject = [
            "run": .integer(Int64(clamping: last.run)), "ended": true, "requests": .integer(Int64(last.requests)), "bytes": .integer(last.bytes),
            "milliseconds": .integer(last.milliseconds)]
        fields["way"] = last.way.map { .string($0) }
        if let failure = last.failure { fields["failure"] = ["code": .string(failure.code), "message": .string(failure.message)] }
        return .object(fields)
    }
}
