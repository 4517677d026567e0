/// Which line of a chip.
public enum OutputLine: Hashable, Sendable {
    /// Its number on the chip, from 0.
    case offset(UInt32)
    /// Its name, as the board's device tree gives it.
    case named(String)
}
