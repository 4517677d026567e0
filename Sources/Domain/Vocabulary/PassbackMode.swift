/// What anti-passback does about somebody who wants to go where, by what the gate knows, they already are (V5).
public enum PassbackMode: Hashable, Sendable {
    /// Nothing: nobody is known to be anywhere.
    case off
    /// Lets them through; the record of the outcome says so.
    case soft
    /// Refuses until they have left.
    case hard
    /// Refuses until they have left, or for so many milliseconds after they came in. Site data count in whole minutes.
    case timed(milliseconds: Int64)

    /// The minutes that site data may set: up to a week.
    public static let minutes: ClosedRange<Int64> = 1...10_080

    /// The stable words, as a site file offers them.
    public static let words = ["off", "soft", "hard", "timed"]

    /// Its word.
    public var word: String {
        switch self {
        case .off: "off"
        case .soft: "soft"
        case .hard: "hard"
        case .timed: "timed"
        }
    }

    /// Timed, for so many minutes.
    public static func timed(minutes: Int64) -> PassbackMode { .timed(milliseconds: minutes * 60_000) }
}
