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

extension LineRequest {
    /// The names that more than one request carries, each with its fault. Which of the two was
    /// meant cannot be known, so none of them is opened.
    static func namesUsedTwice(in requests: [LineRequest]) -> [LineName: LineError] {
        Dictionary(grouping: requests, by: \.name)
            .filter { $0.value.count > 1 }
            .mapValues { .requestedTwice(name: $0[0].name) }
    }
}

/// What a line is used for.
public enum LineDirection: Hashable, Sendable {
    /// Driven by us. It is inactive from the first moment on: that is its safe level (L6).
    case output
    /// Read by us.
    case input
}

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
