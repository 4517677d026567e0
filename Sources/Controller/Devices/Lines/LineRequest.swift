/// One line that the gate needs, and where it is.
public struct LineRequest: Hashable, Sendable {
    public let name: LineName
    /// The chip: its name ("gpiochip0"), its path ("/dev/gpiochip0") or its label
    /// ("pinctrl-bcm2711"). Labels survive a change of numbering.
    public let chip: String
    public let line: LinePlace
    /// True when the line is active at low voltage.
    public let activeLow: Bool
    public let direction: LineDirection
    /// For an input: what holds its level while the contact is open.
    public let bias: LineBias
    /// Who uses the line, as `gpioinfo` shows it.
    public let consumer: String

    public init(
        name: LineName, chip: String, line: LinePlace, activeLow: Bool = false, direction: LineDirection = .output,
        bias: LineBias = .asIs, consumer: String = "tapstile"
    ) {
        self.name = name
        self.chip = chip
        self.line = line
        self.activeLow = activeLow
        self.direction = direction
        self.bias = bias
        self.consumer = consumer
    }
}
