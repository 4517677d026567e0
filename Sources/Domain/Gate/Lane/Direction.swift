/// Which way people pass. The raw value is the word of configuration, journal and commands.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Into the site: relay A.
    case inward = "in"
    /// Out of the site: relay B where there is one.
    case outward = "out"

    /// The other way.
    public var opposite: Direction {
        switch self {
        case .inward: .outward
        case .outward: .inward
        }
    }
}
