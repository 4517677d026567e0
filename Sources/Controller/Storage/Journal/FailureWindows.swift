/// Unproven failures of one lane and reason: the first is written at once, those that follow within the
/// window are counted, and the count becomes one record when the window ends. Pure; time is an argument.
struct FailureWindows {
    /// What is counted together.
    struct Key: Hashable, Sendable {
        let lane: String
        let reason: String
        /// As in the record's details.
        let assurance: String?

        init(lane: String, reason: String, assurance: String? = nil) {
            self.lane = lane
            self.reason = reason
            self.assurance = assurance
        }

        /// - Parameter stored: the assurance as the database has it: empty where nothing is said.
        init(lane: String, reason: String, stored: String) {
            self.init(lane: lane, reason: reason, assurance: stored.isEmpty ? nil : stored)
        }
    }

    /// Failures after the first in one window.
    struct Count: Hashable, Sendable {
        let key: Key
        var count: UInt64
        var first: JournalTime
        var last: JournalTime
    }

    /// What to do with a failure.
    enum Action: Equatable {
        case write
        case count(Key)
    }

    private struct Window {
        let ends: Int64
        var counted: Count?
    }

    /// Lanes times reasons is far below; should it not be, further kinds are written one by one.
    static let maximumWindows = 1024

    private let length: Int64
    private var open: [Key: Window] = [:]

    /// - Parameter length: in milliseconds; 0 writes every failure.
    init(length: Int64) { self.length = length }

    /// One more failure. Windows that have ended must have been closed before.
    mutating func receive(_ key: Key, at time: JournalTime) -> Action {
        guard length > 0 else { return .write }
        guard var window = open[key] else {
            if open.count < Self.maximumWindows {
                open[key] = Window(ends: time.monotonicMilliseconds &+ length, counted: nil)
            }
            return .write
        }
        var counted = window.counted ?? Count(key: key, count: 0, first: time, last: time)
        counted.count += 1
        counted.last = time
        window.counted = counted
        open[key] = window
        return .count(key)
    }

    /// Ends the windows whose time has come, all of them if `now` is nil. Answers what they counted.
    mutating func close(at now: Int64?) -> [Count] {
        var ended: [Count] = []
        for (key, window) in open where now.map({ window.ends <= $0 }) ?? true {
            open[key] = nil
            if let counted = window.counted { ended.append(counted) }
        }
        return ended.sorted { $0.first.monotonicMilliseconds < $1.first.monotonicMilliseconds }
    }

    /// The monotonic time in milliseconds at which the next window with a count ends.
    var nextEnd: Int64? { open.values.lazy.filter { $0.counted != nil }.map(\.ends).min() }
}

extension JournalEntry {
    /// The record of counted failures.
    init(_ counted: FailureWindows.Count) {
        self.init(
            kind: .repeatedFailures, time: counted.last, lane: counted.key.lane, reason: counted.key.reason,
            isProven: false,
            detail: [
                "count": .unsigned(counted.count), "first": .init(counted.first.wallMilliseconds),
                "last": .init(counted.last.wallMilliseconds)
            ])
        detail[Self.assuranceDetail] = counted.key.assurance.map { .text($0) }
    }

    /// The outcome of an attempt that the power took.
    init(closing attempt: JournalEntry, sequence: UInt64, at time: JournalTime, isProven: Bool) {
        self.init(
            kind: .outcome, time: time, lane: attempt.lane, reader: attempt.reader, carrier: attempt.carrier,
            attempt: sequence, reason: JournalEntry.outcomeUnknown,
            isProven: isProven)
        detail[Self.assuranceDetail] = attempt.detail[Self.assuranceDetail]
    }

    /// The reason of an outcome that nobody saw.
    public static let outcomeUnknown = "outcome-unknown"
}
