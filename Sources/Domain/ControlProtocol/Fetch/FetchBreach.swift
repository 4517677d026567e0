import Encoding

/// Why a file is not had, as the asking side sees it. After any but `failed` the connection is good for nothing and is to be closed.
public enum FetchBreach: Error, Hashable, Sendable {
    /// The program says so itself.
    case failed(FetchFault)
    /// More bytes than were asked for.
    case endless
    /// Too few bytes within a stretch of time.
    case slow
    /// The time is over.
    case late
    /// The program gives no sign of life.
    case silent
    /// It said what it has no right to say then; the text says what.
    case outOfTurn(String)
    /// It said what is no frame.
    case broken(FrameError)
    /// It has ended, or cannot be started; the text says more.
    case gone(String)

    /// Whether the connection can be used for the next file.
    public var leavesConnection: Bool {
        switch self {
        case .failed: true
        case .endless, .slow, .late, .silent, .outOfTurn, .broken, .gone: false
        }
    }

    /// Stable, for operators to search for.
    public var code: String {
        switch self {
        case .failed(let fault): fault.codeOfAttack ?? fault.code
        case .endless: "endless-data"
        case .slow, .late: "slow-retrieval"
        case .silent: "fetcher-silent"
        case .outOfTurn, .broken: "fetcher-protocol"
        case .gone: "fetcher-died"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .failed(let fault): fault.message
        case .endless: "More bytes came than were asked for."
        case .slow: "Fewer bytes came than the slowest server may send."
        case .late: "It took longer than it may."
        case .silent: "tapstile-net gives no sign of life."
        case .outOfTurn(let what): "tapstile-net said something out of its turn: \(what)."
        case .broken(let error): "tapstile-net does not keep to the protocol. \(error.message)"
        case .gone(let why): "tapstile-net does not run: \(why)."
        }
    }
}

extension FetchFault {
    /// What the program may notice first is called the same whoever noticed it.
    fileprivate var codeOfAttack: String? {
        switch kind {
        case .tooManyBytes: FetchBreach.endless.code
        case .tooSlow: FetchBreach.slow.code
        case .timeOver: FetchBreach.late.code
        case .nameNotFound, .connectFailed, .connectionLost, .proxyFailed, .certificateRefused, .clientCertificateRefused, .certificateUnusable,
             .addressRefused, .notListed, .addressLocal, .unconfigured, .redirectRefused, .answerMalformed, .cancelled, .other: nil
        }
    }
}
