import Vocabulary

/// What the site has decided about one zone.
public struct ZonePolicy: Hashable, Sendable {
    /// Anti-passback.
    public let mode: PassbackMode
    /// How many people may be inside; nil for any number.
    public let capacity: Int?

    /// No rule at all: nobody is kept in mind.
    public static let none = ZonePolicy(mode: .off)

    /// A policy.
    public init(mode: PassbackMode, capacity: Int? = nil) {
        self.mode = mode
        self.capacity = capacity
    }

    /// The policy as long as a way of the zone stands open: nothing is held against anybody.
    public var whileOpen: ZonePolicy { ZonePolicy(mode: .off, capacity: capacity) }

    /// Whether the gate has to know who is inside.
    public var isKept: Bool { mode != .off || capacity != nil }
}
