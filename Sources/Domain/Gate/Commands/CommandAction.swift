import Vocabulary

/// What a lane does when a phone runs a command (A1).
public enum CommandAction: Hashable, Sendable {
    /// How an output is switched. The raw value is the word of the configuration.
    public enum Switching: String, Hashable, Sendable, CaseIterable {
        case on
        case off
        case toggle

        /// How the output is afterwards.
        public func result(of isOn: Bool) -> Bool {
            switch self {
            case .on: true
            case .off: false
            case .toggle: !isOn
            }
        }
    }

    /// A mode that a phone may order. It stands below what operators, key switch and fire alarm order, and above schedules.
    public enum Order: Hashable, Sendable {
        /// Held open, or locked down, for so many milliseconds.
        case holdOpen(Int64)
        case lockDown(Int64)
        /// What phones have ordered is over.
        case normal
    }

    /// One person passes the way that the reader lets people pass.
    case pass
    /// One person passes outwards, wherever the reader is.
    case passOut
    /// The lane's mode.
    case order(Order)
    /// An output of the lane, by its name, for so many milliseconds: then it is again what it was before.
    case output(String, Switching, for: Int64)
    /// Nothing but the record.
    case recordOnly

    /// The stable word, for configuration, journal and events.
    public var word: String {
        switch self {
        case .pass: "pass"
        case .passOut: "pass-out"
        case .order(.holdOpen): "hold-open"
        case .order(.lockDown): "lock-down"
        case .order(.normal): "normal"
        case .output(_, let switching, for: _): switching.rawValue
        case .recordOnly: "record-only"
        }
    }

    /// For how many milliseconds what it does lasts at the longest; nil where nothing lasts.
    public var length: Int64? {
        switch self {
        case .order(.holdOpen(let length)), .order(.lockDown(let length)), .output(_, _, for: let length): length
        case .pass, .passOut, .order(.normal), .recordOnly: nil
        }
    }

    /// Whether somebody passes.
    public var isPassage: Bool {
        switch self {
        case .pass, .passOut: true
        case .order, .output, .recordOnly: false
        }
    }

    /// Which way, at a reader that lets people pass in `direction`.
    public func direction(atReader direction: Direction) -> Direction {
        switch self {
        case .passOut: .out
        case .pass, .order, .output, .recordOnly: direction
        }
    }
}
