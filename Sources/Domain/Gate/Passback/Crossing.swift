import Vocabulary

/// Where a passage leads from and to, in zones; nil is outside all of them.
public struct Crossing: Hashable, Sendable {
    /// The zone that is left.
    public let from: String?
    /// The zone that is entered.
    public let to: String?

    /// A crossing.
    public init(from: String?, to: String?) {
        self.from = from
        self.to = to
    }

    /// The way through a lane in `direction`.
    /// - Parameters:
    ///   - zone: where the lane leads inwards.
    ///   - outer: what lies before it.
    public init(_ direction: Direction, zone: String?, outer: String?) {
        switch direction {
        case .in: self.init(from: outer, to: zone)
        case .out: self.init(from: zone, to: outer)
        }
    }
}
