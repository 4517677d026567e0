import Encoding

/// How synchronisation stands, for `status` and for whoever follows a run. Times of day are UNIX milliseconds.
package struct SyncReport: Equatable, Sendable {
    /// What goes on.
    enum Stage: String, Equatable, Sendable {
        case waiting
        case fetching
        case applying
    }

    /// The end of a run.
    package struct End: Equatable, Sendable {
        /// Its number: the server's runs and those of folders are counted apart.
        let run: UInt64
        let time: Int64
        let milliseconds: Int64
        let requests: Int
        let bytes: Int64
        /// What was put to use; nil where there was nothing new.
        var way: String?
        var failure: SyncFailure?
        /// What it fetched last went on where an earlier run had left it.
        var isResumed = false
    }

    /// A failure that has not been fixed since, and how often it came in a row.
    struct Trouble: Equatable, Sendable {
        let failure: SyncFailure
        let since: Int64
        var count: Int
    }

    /// So many ends of folders are remembered: whoever asks how his went asks soon.
    private static let mostVisits = 8

    /// The server's address; nil where there is none.
    var from: String?
    var stage = Stage.waiting
    /// The run of the server that goes on, or went on last; 0 before the first.
    var run: UInt64 = 0
    /// The run of a folder that goes on.
    var visit: UInt64?
    var progress: RepositorySource.Progress?
    /// The end of the server's last run.
    var last: End?
    /// Those of folders, the last one last.
    private(set) var visits: [End] = []
    var lastSuccess: Int64?
    var lastChange: Int64?
    /// With the server. What is wrong with a folder is told to who brought it.
    var trouble: Trouble?
    /// When the roles end that were verified last.
    package var ends: RoleEnds?

    /// - Parameter past: what was so before the start.
    package init(from: String?, past: SyncPast? = nil) {
        self.from = from
        lastSuccess = past?.lastSuccess
        lastChange = past?.lastChange
        ends = past?.ends
    }

    /// What the next start is to know; nil before anything went well.
    var past: SyncPast? { lastSuccess.map { SyncPast(lastSuccess: $0, lastChange: lastChange, ends: ends) } }

    /// A run begins.
    package mutating func begin(_ run: SyncPlan.Run) {
        if run.cause == .folder { visit = run.number } else { self.run = run.number }
        stage = .fetching
        progress = nil
    }

    /// It gave way, and whoever waits for its end waits for that of the next.
    mutating func giveWay() {
        stage = .waiting
        progress = nil
    }

    /// It has ended.
    package mutating func end(_ end: End, of cause: SyncPlan.Cause) {
        stage = .waiting
        progress = nil
        if end.failure == nil {
            lastSuccess = end.time
            if end.way != nil { lastChange = end.time }
        }
        guard cause != .folder else {
            visit = nil
            visits = visits.suffix(Self.mostVisits - 1) + [end]
            return
        }
        last = end
        trouble = end.failure.map { failure in
            let known = trouble.flatMap { $0.failure.code == failure.code ? $0 : nil }
            return Trouble(failure: failure, since: known?.since ?? end.time, count: (known?.count ?? 0) + 1)
        }
    }

    /// - Parameters:
    ///   - next: when the server is asked next, UNIX milliseconds.
    ///   - now: the latest moment of which the gate is sure, UNIX seconds.
    package func json(next: Int64?, at now: Int64) -> JSON {
        var fields: JSONObject = ["state": .string(stage.rawValue), "run": .integer(Int64(clamping: run))]
        fields["from"] = from.map { .string($0) }
        fields["import"] = visit.map { .integer(Int64(clamping: $0)) }
        if let progress {
            fields["file"] = .string(progress.file)
            fields["received"] = .integer(progress.received)
            fields["length"] = .integer(progress.length)
        }
        let ends = [last, visits.last].compactMap { $0?.time }
        fields["lastAttempt"] = ends.max().map { .string(UTCText.make(milliseconds: $0)) }
        fields["lastSuccess"] = lastSuccess.map { .string(UTCText.make(milliseconds: $0)) }
        fields["lastChange"] = lastChange.map { .string(UTCText.make(milliseconds: $0)) }
        fields["next"] = next.map { .string(UTCText.make(milliseconds: $0)) }
        if let roles = self.ends, let first = roles.first {
            fields["expires"] = .string(UTCText.make(seconds: first.time))
            fields["roles"] = roles.json
            fields["warning"] = roles.warning(at: now).map { warning -> JSON in ["code": .string(warning.code), "message": .string(warning.message)] }
        }
        if let trouble {
            fields["failure"] = ["code": .string(trouble.failure.code), "message": .string(trouble.failure.message),
                                 "since": .string(UTCText.make(milliseconds: trouble.since)), "count": .integer(Int64(trouble.count))]
        }
        return .object(fields)
    }

    /// How a run is that somebody asked for: whether it has ended, and how.
    package func json(ofRun run: UInt64) -> JSON {
        guard let last, last.run >= run else { return ["run": .integer(Int64(clamping: run)), "state": .string(stage.rawValue), "ended": false] }
        return last.json(as: "run")
    }

    /// How the run of a folder is; nil where nobody knows any more.
    package func json(ofVisit number: UInt64) -> JSON? {
        if let end = visits.last(where: { $0.run == number }) { return end.json(as: "import") }
        guard number > visits.last?.run ?? 0 else { return nil }
        let state = visit == number ? stage.rawValue : "queued"
        return ["import": .integer(Int64(clamping: number)), "state": .string(state), "ended": false]
    }
}

extension SyncReport.End {
    /// - Parameter name: what its number is called.
    fileprivate func json(as name: String) -> JSON {
        var fields: JSONObject = [
            name: .integer(Int64(clamping: run)), "ended": true, "requests": .integer(Int64(requests)), "bytes": .integer(bytes), "milliseconds": .integer(milliseconds)]
        fields["way"] = way.map { .string($0) }
        if let failure { fields["failure"] = ["code": .string(failure.code), "message": .string(failure.message)] }
        return .object(fields)
    }
}
