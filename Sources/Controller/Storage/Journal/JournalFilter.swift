/// Which records a reading wants.
public struct JournalFilter: Hashable, Sendable {
    /// The chain to read.
    public var partition: JournalPartition
    /// Only this lane.
    public var lane: String?
    /// Only this reason code.
    public var reason: String?
    /// Only records of this kind (`JournalKind.rawValue`).
    public var kind: String?
    /// Only records of this UNIX time in milliseconds or later.
    public var sinceMilliseconds: Int64?

    /// Everything of the main chain unless said otherwise.
    public init(
        partition: JournalPartition = .main, lane: String? = nil, reason: String? = nil, kind: String? = nil,
        sinceMilliseconds: Int64? = nil
    ) {
        self.partition = partition
        self.lane = lane
        self.reason = reason
        self.kind = kind
        self.sinceMilliseconds = sinceMilliseconds
    }
}
