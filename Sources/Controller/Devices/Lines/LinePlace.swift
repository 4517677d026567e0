/// Which line of a chip.
public enum LinePlace: Hashable, Sendable, CustomStringConvertible {
    /// Its number on the chip, from 0.
    case offset(UInt32)
    /// Its name, as the board's device tree gives it ("GPIO17"). It must be there exactly once.
    case named(String)

    public var description: String {
        switch self {
        case .offset(let offset): "line \(offset)"
        case .named(let name): "line \"\(name)\""
        }
    }
}
