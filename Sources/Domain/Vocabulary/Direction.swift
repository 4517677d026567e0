/// Which way people pass. The raw value is the word of configuration, journal and commands.
public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Into the site: relay A.
    case `in`
    /// Out of the site: relay B where there is one.
    case out

    /// The other way.
    public var opposite: Direction {
        switch self {
        case .in: .out
        case .out: .in
        }
    }
}
