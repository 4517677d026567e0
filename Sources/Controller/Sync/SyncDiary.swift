/// What of all runs is worth a record in the journal: a gate without a network fails every quarter of an hour for weeks. Pure; times are monotonic
/// milliseconds.
struct SyncDiary: Equatable, Sendable {
    /// A record.
    enum Entry: Equatable, Sendable {
        /// What came was refused, or could not be used here.
        case refused(code: String)
        /// What was refused before is not asked for: nothing that the journal does not have.
        case postponed(code: String)
        /// The repository cannot be reached: the first time in a row.
        case unreachable(code: String)
        /// It can again.
        case reachable
    }

    /// The same refusal is recorded once in so many milliseconds.
    static let pause: Int64 = 3_600_000

    private var isUnreachable = false
    private var refusals: [String: Int64] = [:]

    /// A run has ended.
    /// - Returns: what to write down, in order.
    mutating func ended(_ failure: SyncFailure?, at now: Int64) -> [Entry] {
        guard let failure else { return reached() }
        switch failure.kind {
        case .calledOff: return []
        case .gaveWay: return reached()
        case .unreachable:
            defer { isUnreachable = true }
            return isUnreachable ? [] : [.unreachable(code: failure.code)]
        case .refused: return reached() + once(.refused(code: failure.code), failure.code, at: now)
        case .postponed: return reached() + once(.postponed(code: failure.code), failure.code, at: now)
        // Nobody was asked, or what came was good.
        case .local: return once(.refused(code: failure.code), failure.code, at: now)
        }
    }

    private mutating func reached() -> [Entry] {
        defer { isUnreachable = false }
        return isUnreachable ? [.reachable] : []
    }

    private mutating func once(_ entry: Entry, _ code: String, at now: Int64) -> [Entry] {
        if let last = refusals[code], now - last < Self.pause { return [] }
        refusals[code] = now
        return [entry]
    }
}
