/// The lamps that are on at one moment.
public struct LampSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let red = LampSet(rawValue: 1)
    public static let green = LampSet(rawValue: 2)
    public static let blue = LampSet(rawValue: 4)
    public static let buzzer = LampSet(rawValue: 8)

    /// Everything that can be seen.
    public static let colours: LampSet = [.red, .green, .blue]

    /// These lamps.
    public init(_ lamps: some Sequence<Lamp>) {
        self = lamps.reduce(into: []) { $0.formUnion(LampSet($1)) }
    }

    /// This lamp.
    public init(_ lamp: Lamp) {
        self = switch lamp {
        case .red: .red
        case .green: .green
        case .blue: .blue
        case .buzzer: .buzzer
        }
    }

    /// The lamps in it, in the order of their list.
    public var lamps: [Lamp] { Lamp.allCases.filter { contains(LampSet($0)) } }

    /// What a lane shows that has only the lamps `wired`. A step whose colours are all missing lights every colour
    /// there is: the rhythm carries the meaning, so that one single light is enough.
    public func shown(with wired: LampSet) -> LampSet {
        let isBlind = !isDisjoint(with: .colours) && isDisjoint(with: wired.intersection(.colours))
        return (isBlind ? union(.colours) : self).intersection(wired)
    }
}

/// One thing at a lane that can be on or off for people to see or hear.
public enum Lamp: String, Hashable, Sendable, CaseIterable {
    case red
    case green
    case blue
    case buzzer
}
