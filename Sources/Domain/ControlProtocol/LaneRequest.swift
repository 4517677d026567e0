import Encoding
import Vocabulary

/// What an operator wants of a lane (A2).
public struct LaneRequest: Equatable, Sendable {
    /// A mode that stays until another is asked for, or until its time is over. The raw value is the word of requests and commands.
    public enum Mode: String, Equatable, Sendable, CaseIterable {
        /// The relay is held energised.
        case holdOpen = "hold-open"
        /// Nobody passes, at once.
        case lockDown = "lock-down"
        /// Whoever comes may pass.
        case free
        /// Taps are refused.
        case close
        /// As the schedules and the installer want it.
        case normal

        /// Whether a time can be given for it.
        public var mayEnd: Bool { self != .normal }
    }

    /// What is to be done.
    public enum Action: Equatable, Sendable {
        /// Set the mode; `milliseconds` is for how long, nil until another is asked for. `direction` is for `holdOpen` only; nil leaves it to
        /// the lane.
        case mode(Mode, direction: Direction?, milliseconds: Int64?)
        /// Let one person through now; nil leaves the way to the lane.
        case release(Direction?)
        /// Raise alarms from now on.
        case arm
        /// Raise none.
        case disarm
        /// Switch an output of the lane over.
        case toggle(output: String)

        /// Its word in requests, commands, journal and log.
        public var word: String {
            switch self {
            case .mode(let mode, _, _): mode.rawValue
            case .release: "release"
            case .arm: "arm"
            case .disarm: "disarm"
            case .toggle: "toggle"
            }
        }
    }

    /// The words of all actions, in the order of the documents.
    public static let words = ["hold-open", "lock-down", "free", "close", "release", "normal", "arm", "disarm", "toggle"]

    /// The longest time that a mode can be given: a year.
    public static let longestMilliseconds: Int64 = 366 * 86_400_000

    /// The lane's name.
    public let lane: String
    /// What is to be done.
    public let action: Action

    /// A request.
    public init(lane: String, action: Action) {
        self.lane = lane
        self.action = action
    }

    init(json: JSON) throws(ControlError) {
        guard let lane = json["lane"]?.string else { throw .malformed("`lane` is not the name of a lane.") }
        guard let word = json["action"]?.string else { throw .malformed("`action` does not say what to do with the lane.") }
        self.init(lane: lane, action: try Self.action(word, json))
    }

    private static func action(_ word: String, _ json: JSON) throws(ControlError) -> Action {
        let direction = try direction(of: json), milliseconds = try milliseconds(of: json)
        guard direction == nil || ["release", Mode.holdOpen.rawValue].contains(word) else { throw .malformed("`\(word)` has no `direction`.") }
        if let mode = Mode(rawValue: word) {
            guard milliseconds == nil || mode.mayEnd else { throw .malformed("`normal` has no end.") }
            return .mode(mode, direction: direction, milliseconds: milliseconds)
        }
        guard milliseconds == nil else { throw .malformed("`\(word)` has no `for`.") }
        switch word {
        case "release": return .release(direction)
        case "arm": return .arm
        case "disarm": return .disarm
        case "toggle":
            guard let output = json["output"]?.string else { throw .malformed("`output` is not the name of an output.") }
            return .toggle(output: output)
        default: throw ControlError(code: "action-unknown", message: "Lanes know no action of this name.")
        }
    }

    private static func direction(of json: JSON) throws(ControlError) -> Direction? {
        guard let value = json["direction"] else { return nil }
        guard let direction = value.string.flatMap(Direction.init(rawValue:)) else { throw .malformed("`direction` is neither in nor out.") }
        return direction
    }

    private static func milliseconds(of json: JSON) throws(ControlError) -> Int64? {
        guard let value = json["for"] else { return nil }
        guard let milliseconds = value.integer, (1...longestMilliseconds).contains(milliseconds) else {
            throw .malformed("`for` is not a number of milliseconds, at most a year.")
        }
        return milliseconds
    }

    var fields: JSONObject {
        var fields: JSONObject = ["do": "lane-act", "lane": .string(lane), "action": .string(action.word)]
        switch action {
        case .mode(_, let direction, let milliseconds):
            fields["direction"] = direction.map { .string($0.rawValue) }
            fields["for"] = milliseconds.map { .integer($0) }
        case .release(let direction): fields["direction"] = direction.map { .string($0.rawValue) }
        case .arm, .disarm: break
        case .toggle(let output): fields["output"] = .string(output)
        }
        return fields
    }
}
