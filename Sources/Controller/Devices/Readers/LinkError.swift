/// Why a link brought no answer.
public enum LinkError: Error, Hashable, Sendable {
    /// The deadline passed or the link was invalidated.
    case timedOut
    /// The phone left the field, or the exchange over the air broke.
    case cardGone(LinkFault)
    /// The reader was unplugged.
    case readerGone(LinkFault)
    /// pcscd, or the program that drives the reader, went away.
    case serviceGone(LinkFault)
    /// Anything else.
    case failed(LinkFault)

    init(_ error: PCSCError) {
        let fault = LinkFault(error)
        switch error.kind {
        case .cardGone: self = .cardGone(fault)
        case .readerGone: self = .readerGone(fault)
        case .contextLost: self = .serviceGone(fault)
        case .sharing, .denied, .cancelled, .timedOut, .other: self = .failed(fault)
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
        case .cardGone(let fault), .readerGone(let fault), .serviceGone(let fault), .failed(let fault): fault.message
        }
    }
}
