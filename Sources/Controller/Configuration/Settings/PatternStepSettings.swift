/// One step of a pattern: `green+buzzer 200`, or `off 100`.
public struct PatternStepSettings: Hashable, Sendable {
    /// What is on, in the order of `Indicator.lamps`; nothing is `off`.
    public var lamps: [Indicator]
    /// A multiple of 100, up to 60000.
    public var milliseconds: Int

    /// What the length of a step may be, in milliseconds.
    public static let lengths = 100...60_000
    /// Every length is a multiple of so many milliseconds (L2).
    public static let unit = 100
    /// The word for no lamp.
    static let off = "off"

    public init(lamps: [Indicator], milliseconds: Int) {
        self.lamps = lamps
        self.milliseconds = milliseconds
    }

    /// What is wrong with a text that is no step.
    enum Fault: Error, Hashable {
        /// It is not `LAMPS MILLISECONDS`.
        case form
        /// There is no lamp of this name.
        case lamp(String)
        /// This lamp is named twice, or beside `off`.
        case twice(String)
        /// No number of milliseconds that a step may last.
        case length(String)
    }

    /// Reads a step.
    init(_ text: String) throws(Fault) {
        let words = text.split(separator: " ")
        guard words.count == 2 else { throw .form }
        let names = words[0].split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else { throw .form }
        var lamps: [Indicator] = []
        for name in names where names != [Self.off] {
            guard let lamp = Indicator(rawValue: name), Indicator.lamps.contains(lamp) else {
                throw name == Self.off ? .twice(name) : .lamp(name)
            }
            guard !lamps.contains(lamp) else { throw .twice(name) }
            lamps.append(lamp)
        }
        guard let length = Int(words[1]), Self.lengths.contains(length), length.isMultiple(of: Self.unit),
              words[1].allSatisfy({ $0.isASCII && $0.isNumber }) else { throw .length(String(words[1])) }
        self.init(lamps: Indicator.lamps.filter(lamps.contains), milliseconds: length)
    }
}

/// `[pattern.SIGNAL]`: an installer's own pattern for a signal, in place of the shipped one.
public struct PatternSettings: Hashable, Sendable {
    /// At least one and at most `mostSteps`.
    public var steps: [PatternStepSettings]
    /// Whether it begins again after the last step, which stays otherwise.
    public var repeats: Bool

    /// The most steps of a pattern.
    public static let mostSteps = 64

    public init(steps: [PatternStepSettings], repeats: Bool) {
        self.steps = steps
        self.repeats = repeats
    }

    /// Nothing is ever on, or nothing any more once the last step stays.
    var isDark: Bool {
        repeats ? steps.allSatisfy(\.lamps.isEmpty) : steps.last?.lamps.isEmpty ?? true
    }
}
