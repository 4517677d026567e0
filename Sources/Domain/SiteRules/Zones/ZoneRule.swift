import Vocabulary

/// The rules of a zone: a part of the site that one goes into and out of.
public struct ZoneRule: Hashable, Sendable {
    /// The zone's name, as lanes name the zone into which they lead.
    public let zone: String
    /// Anti-passback.
    public let passback: PassbackMode
    /// The minute of the day, by the site's clock, at which everybody counts as gone: 0 to 1439.
    public let resetMinute: Int64?
    /// Groups that anti-passback does not bind.
    public let exemptGroups: [String]
    /// How many people may be inside; nil: any number.
    public let capacity: Int64?

    /// The capacities that may be set.
    public static let capacities: ClosedRange<Int64> = 1...1_000_000

    /// The rules of a zone.
    public init(zone: String, passback: PassbackMode, resetMinute: Int64? = nil, exemptGroups: [String] = [],
                capacity: Int64? = nil) {
        self.zone = zone
        self.passback = passback
        self.resetMinute = resetMinute
        self.exemptGroups = exemptGroups
        self.capacity = capacity
    }
}
