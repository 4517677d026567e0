/// What holds an input at a level while its contact is open.
public enum LineBias: Hashable, Sendable {
    /// As the board has it.
    case asIs
    /// The chip's own resistor to the supply. A chip that has none ignores the request.
    case pullUp
    /// The chip's own resistor to ground. A chip that has none ignores the request.
    case pullDown
    /// Nothing on the chip: the wiring does.
    case off
}
