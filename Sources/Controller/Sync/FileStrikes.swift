/// Large files that were refused again and again, so that a gate does not fetch and write hundreds of megabytes every quarter of an hour for
/// nothing. Pure; times are monotonic milliseconds. Another file, with another hash, is another matter.
struct FileStrikes: Equatable, Sendable {
    private struct Strike: Equatable, Sendable {
        var count: Int
        var last: Int64
        var failure: SyncFailure
    }

    /// So often a file is fetched in vain.
    static let most = 3
    /// Then it is left alone for so many milliseconds.
    static let pause: Int64 = 6 * 3_600_000

    private var strikes: [[UInt8]: Strike] = [:]

    /// A file was fetched whole and was refused, or led nowhere.
    mutating func struck(_ hash: [UInt8], _ failure: SyncFailure, at now: Int64) {
        // One whole is there at a time: what is said of others is history.
        strikes = strikes.filter { $0.key == hash }
        strikes[hash] = Strike(count: (strikes[hash]?.count ?? 0) + 1, last: now, failure: failure)
    }

    /// Why a file is not to be fetched now; nil: it is.
    func refusal(of hash: [UInt8], at now: Int64) -> SyncFailure? {
        guard let strike = strikes[hash], strike.count >= Self.most, now - strike.last < Self.pause else { return nil }
        return strike.failure
    }
}
