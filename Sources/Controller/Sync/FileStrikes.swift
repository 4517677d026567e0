import SiteData

/// Site data that were refused again and again though their files had the bytes that were signed, so that a gate does not fetch and write hundreds of
/// megabytes every quarter of an hour for nothing. What a server or the way to it has spoilt is no strike: the next download may be good.
/// Pure; times are monotonic milliseconds.
struct FileStrikes: Equatable, Sendable {
    /// Files that are put to use together, each by its SHA-256. Where one is another one, all of it is another matter.
    struct Files: Equatable, Sendable {
        let whole: [UInt8]
        let site: [UInt8]
        /// What changes upon the whole were to lead to; nil where they had no part in it.
        let state: SignedState?
    }

    private struct Strike: Equatable, Sendable {
        let files: Files
        var count: Int
        var last: Int64
        var failure: SyncFailure
    }

    /// So often they are fetched in vain.
    static let most = 3
    /// Then they are left alone for so many milliseconds.
    static let pause: Int64 = 6 * 3_600_000

    /// One whole is there at a time: what was said of others is history.
    private var strike: Strike?

    /// Files that had the bytes that were signed were refused, or led nowhere.
    mutating func struck(_ files: Files, _ failure: SyncFailure, at now: Int64) {
        let count = strike?.files == files ? strike?.count ?? 0 : 0
        strike = Strike(files: files, count: count + 1, last: now, failure: failure)
    }

    /// Why a whole is not asked for now; nil: it is.
    /// - Parameters:
    ///   - whole: its SHA-256.
    ///   - site: that of the site's part.
    ///   - state: the newest one.
    func refusal(of whole: [UInt8], site: [UInt8], state: SignedState, at now: Int64) -> SyncFailure? {
        guard let strike, strike.count >= Self.most, now - strike.last < Self.pause, strike.files.whole == whole, strike.files.site == site,
              strike.files.state == nil || strike.files.state == state else { return nil }
        return .notAskedFor(strike.failure, times: strike.count, minutes: (Self.pause - (now - strike.last) + 59_999) / 60_000)
    }
}

extension SyncFailure {
    fileprivate static func notAskedFor(_ last: SyncFailure, times: Int, minutes: Int64) -> SyncFailure {
        SyncFailure(.postponed, code: "whole-not-asked-for", message: "The whole was fetched \(times) times as it was signed, and refused each time, last for "
            + "\(last.code): \(last.message) It is not asked for again for \(minutes) minutes; another one is, and tapstile sync asks for this one at once.")
    }
}
