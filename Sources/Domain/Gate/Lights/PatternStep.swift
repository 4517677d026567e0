/// One step of a pattern: which lamps are on, and for how long.
public struct PatternStep: Hashable, Sendable {
    /// Every length is a multiple of so many milliseconds (L2).
    public static let unit: Int64 = 100
    /// The longest step, in milliseconds.
    public static let longest: Int64 = 60_000

    /// What is on; nothing is a pause.
    public let lamps: LampSet
    /// Milliseconds: a multiple of `unit`, at most `longest`.
    public let length: Int64

    /// A step; nil when its length is none that a step may have.
    public init?(_ lamps: LampSet, length: Int64) {
        guard length > 0, length <= Self.longest, length.isMultiple(of: Self.unit) else { return nil }
        self.init(lamps: lamps, units: length / Self.unit)
    }

    /// For the patterns that are shipped, whose lengths are known to be right.
    init(lamps: LampSet, units: Int64) {
        self.lamps = lamps
        length = units * Self.unit
    }
}
