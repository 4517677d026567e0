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
