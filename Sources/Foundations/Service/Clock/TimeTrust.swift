/// How far the wall clock can be believed.
public enum TimeTrust: Hashable, Sendable {
    /// The kernel says that something keeps the clock synchronised, or the installer vouches for it.
    case synchronised
    /// It was synchronised that long ago and has run on by itself since.
    case holdover(ageSeconds: Int64)
    /// Nobody vouches for it.
    case untrusted(ClockDoubt)

    /// The level in one word, for status and log.
    public var word: String {
        switch self {
        case .synchronised: "synchronised"
        case .holdover: "holdover"
        case .untrusted: "untrusted"
        }
    }

    /// Why not, where nobody vouches for it.
    public var doubt: ClockDoubt? {
        switch self {
        case .synchronised, .holdover: nil
        case .untrusted(let doubt): doubt
        }
    }

    /// What is worth a word in the log when it changes: the level and its cause, not the age.
    var tidings: String { doubt?.code ?? word }
}
