/// How far a link has come.
enum LinkStage: Equatable, Sendable {
    /// The phone has said nothing yet; its distance is being found out. It has until then to say something.
    case approaching(Approach, until: Instant)
    /// The phone has said something before its distance was known: its message waits for that.
    case asking(Approach)
    /// Nobody asks how near the phone is (classic). It has until then to say something.
    case welcome([String], until: Instant)
    /// The conversation is under way. After a message the phone has until `step` to come for its answer; once it has that, or a person is
    /// asked for consent, only `end` counts, by which all must be over.
    case talking(step: Instant, end: Instant)
    /// The phone has its result, and until then to hang up.
    case told(until: Instant)
    /// The link was told to disconnect, for that; it is told again then.
    case leaving(LinkRefusal, again: Instant)

    /// When something happens by itself.
    var nextChange: Instant? {
        switch self {
        case .approaching(let approach, let until): [approach.nextChange, until].compactMap(\.self).min()
        case .asking(let approach): approach.nextChange
        case .welcome(_, let until), .told(let until), .leaving(_, let until): until
        case .talking(let step, let end): min(step, end)
        }
    }

    /// Everything that a phone must do in time may be done so much later. A conversation's own end stays: its attempt has a deadline.
    mutating func postpone(by milliseconds: Int64) {
        switch self {
        case .approaching(var approach, let until):
            approach.postpone(by: milliseconds)
            self = .approaching(approach, until: until + milliseconds)
        case .asking(var approach):
            approach.postpone(by: milliseconds)
            self = .asking(approach)
        case .welcome(let lanes, let until): self = .welcome(lanes, until: until + milliseconds)
        case .talking(let step, let end): self = .talking(step: step + milliseconds, end: end)
        case .told(let until): self = .told(until: until + milliseconds)
        case .leaving: break
        }
    }

    /// Whether the link takes one of the places that there are (T6).
    var isServed: Bool {
        switch self {
        case .approaching, .asking, .welcome, .talking, .told: true
        case .leaving: false
        }
    }
}
