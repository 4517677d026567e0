import Vocabulary

/// `[lane.inputs.KIND]` or `[inputs.KIND]`: one contact and the line it is on.
public struct InputSettings: Hashable, Sendable {
    /// Name, path or label of the GPIO chip, or "simulated".
    public var chip: String
    public var line: OutputLine
    /// The voltage while the contact is closed.
    public var closed: ActiveLevel
    /// How the contact is as long as nothing is the matter.
    public var normally: NormalContact
    public var bias: InputBias
    /// L3: how long it must be quiet to count. Milliseconds; nil for the second half of a contact, which goes by the first.
    public var debounceMilliseconds: Int?
    /// Of a switch: what it makes of the lane.
    public var mode: LaneMode?

    public init(chip: String, line: OutputLine, closed: ActiveLevel, normally: NormalContact, bias: InputBias,
                debounceMilliseconds: Int?, mode: LaneMode? = nil) {
        self.chip = chip
        self.line = line
        self.closed = closed
        self.normally = normally
        self.bias = bias
        self.debounceMilliseconds = debounceMilliseconds
        self.mode = mode
    }

    /// The simulated bank was chosen for this line.
    public var isSimulated: Bool { chip == OutputSettings.simulatedChip }

    /// The voltage that means that the contact has left its normal place.
    public var active: ActiveLevel {
        switch (closed, normally) {
        case (.high, .open), (.low, .closed): .high
        case (.low, .open), (.high, .closed): .low
        }
    }
}

/// What holds an input at a level while its contact is open.
public enum InputBias: String, Sendable, CaseIterable {
    /// As the board has it.
    case asIs = "as-is"
    /// The chip's resistor to the supply.
    case pullUp = "pull-up"
    /// The chip's resistor to ground.
    case pullDown = "pull-down"
    /// The chip's resistors are off.
    case off
}

/// How a contact is as long as nothing is the matter.
public enum NormalContact: String, Sendable, CaseIterable {
    case open, closed
}
