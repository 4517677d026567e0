/// A stretch of time, once, in which a schedule is in force or not, whatever its week and its holidays say.
public struct OneOff: Hashable, Sendable {
    /// The first minute.
    public let from: LocalMinute
    /// The first minute after it.
    public let to: LocalMinute
    /// Whether the schedule is in force in it.
    public let opens: Bool
    /// Of several that cover one minute the highest counts; of equal ones, one that closes.
    public let priority: Int64

    /// The priorities there are.
    public static let priorities: ClosedRange<Int64> = 0...99

    /// A one-off; nil for one that is empty, lies outside the years 1970 to 9999 or has no such priority.
    public init?(from: LocalMinute, to: LocalMinute, opens: Bool, priority: Int64 = 0) {
        guard from < to, LocalMinute.acceptable.contains(from.minutes), LocalMinute.acceptable.contains(to.minutes),
              Self.priorities.contains(priority) else { return nil }
        self.from = from
        self.to = to
        self.opens = opens
        self.priority = priority
    }
}
