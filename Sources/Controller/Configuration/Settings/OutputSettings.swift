/// One output line: `chip`, `line`, `active`.
public struct OutputSettings: Hashable, Sendable {
    /// The chip of the simulated bank, which moves nothing and is never chosen by itself.
    public static let simulatedChip = "simulated"

    /// Name, path or label of the GPIO chip, or "simulated".
    public var chip: String
    public var line: OutputLine
    public var active: ActiveLevel

    public init(chip: String, line: OutputLine, active: ActiveLevel) {
        self.chip = chip
        self.line = line
        self.active = active
    }

    /// The simulated bank was chosen for this line.
    public var isSimulated: Bool { chip == Self.simulatedChip }
}

/// Which line of a chip.
public enum OutputLine: Hashable, Sendable {
    /// Its number on the chip, from 0.
    case offset(UInt32)
    /// Its name, as the board's device tree gives it.
    case named(String)
}

/// The voltage that means on.
public enum ActiveLevel: String, Sendable, CaseIterable {
    case high, low
}
