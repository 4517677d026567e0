/// What an installer has decided for one radio. Times are milliseconds.
public struct RadioRules: Equatable, Sendable {
    /// What a phone must do to be listened to (T4).
    public enum Mode: Equatable, Sendable {
        /// Come near, by the rule of a lane.
        case onTouch([ProximityRule])
        /// Nothing: a person has started the command. These lanes are offered.
        case classic(lanes: [String])
    }

    /// How many links may be open at a time, at the most and at the least (T6).
    public static let limits = 1...7

    /// What a phone must do to be listened to.
    public var mode: Mode
    /// How many links are served at a time (T6).
    public var limit: Int
    /// How long a link may take for a step in which nobody is asked for anything: its first message, and coming for the answer to one.
    public var idle: Int64 = 3000
    /// How long a conversation may take from the first message on. A phone that has its answer may take what is left of it: a slow one
    /// computes and writes in many parts, and a person may have to unlock it or show a finger.
    public var conversation: Int64
    /// How long a link may stay after its result.
    public var stay: Int64 = 2000

    /// The defaults of T5 and T6, but for what is given.
    public init(mode: Mode, limit: Int = 3, conversation: Int64 = 5000) {
        self.mode = mode
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
        self.conversation = conversation
    }

    /// How often a link is to be measured so that the shortest window has room for a smoothed value and some more.
    public var samplingInterval: Int64 {
        switch mode {
        case .onTouch(let rules): min(max((rules.map(\.window).min() ?? 300) / 6, 10), 50)
        case .classic: 50
        }
    }
}
