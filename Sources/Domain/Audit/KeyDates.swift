/// When a key counted, UNIX seconds, as far as somebody knows.
public struct KeyDates: Hashable, Sendable {
    /// When it was made.
    public let from: Int64?
    /// From when on it counted no more.
    public let to: Int64?

    /// Dates.
    public init(from: Int64?, to: Int64? = nil) {
        self.from = from
        self.to = to
    }
}
