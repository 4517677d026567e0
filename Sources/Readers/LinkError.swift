/// Why a link brought no answer.
public enum LinkError: Error, Hashable, Sendable {
    /// The deadline passed or the link was invalidated.
    case timedOut
    /// The phone left the field, or the exchange over the air broke.
    case cardGone(PCSCError)
    /// The reader was unplugged.
    case readerGone(PCSCError)
    /// pcscd went away.
    case serviceGone(PCSCError)
    /// Anything else PC/SC said.
    case failed(PCSCError)

    init(_ error: PCSCError) {
        switch error.kind {
        case .cardGone: self = .cardGone(error)
        case .readerGone: self = .readerGone(error)
        case .contextLost: self = .serviceGone(error)
        case .sharing, .denied, .cancelled, .timedOut, .other: self = .failed(error)
        }
    }

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .timedOut: "link-timed-out"
        case .cardGone: "link-card-gone"
        case .readerGone: "link-reader-gone"
        case .serviceGone: "link-service-gone"
        case .failed: "link-failed"
        }
    }

    public var message: String {
        switch self {
        case .timedOut: "The phone did not answer in time."
        case .cardGone(let error), .readerGone(let error), .serviceGone(let error), .failed(let error): error.message
        }
    }
}
