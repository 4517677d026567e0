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

/// What stood in the way of an exchange, in the words of whoever drives the reader. Equal when the codes are.
public struct LinkFault: Error, Hashable, Sendable {
    /// Stable, for operators to search for.
    public let code: String
    /// A sentence for people, with the remedy where there is one (T13).
    public let message: String

    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    /// What PC/SC said.
    public init(_ error: PCSCError) {
        self.init(code: error.code, message: error.message)
    }

    public static func == (left: LinkFault, right: LinkFault) -> Bool { left.code == right.code }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// A way to one phone or card that is in a reader's field now. `transmit` belongs to the thread
/// that was given the link; the other two may be called from any thread.
public protocol Link: AnyObject, Sendable {
    /// Sends one command APDU and waits for the response APDU.
    ///
    /// Throws `.timedOut` once the deadline has passed or `invalidate` was called, also when the
    /// answer did arrive, but too late: a late answer is never used.
    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8]

    /// Sets the deadline, in monotonic milliseconds. An earlier one already set stays.
    func close(atMonotonicMilliseconds deadline: Int64)

    /// Ends the link now: this and every later `transmit` throws `.timedOut`.
    func invalidate()

    /// Whether the phone came so soon after one that had its result at this reader that it may be that one, lifted a little (T9).
    var mayBeTheSame: Bool { get }
}

extension Link {
    public var mayBeTheSame: Bool { false }
}
