/// Why an APDU, or a run of them, was refused.
public enum APDUError: Error, Hashable, Sendable {
    /// Fewer bytes than a header or a status word.
    case tooShort(count: Int)
    /// More bytes than an APDU can have.
    case tooLong(count: Int)
    /// The length fields and the bytes there do not agree.
    case wrongLength
    /// The parts put together exceed what the receiver takes.
    case tooMuchData(limit: Int)
    /// The card promises more data and sends none.
    case noProgress
    /// A chained command is followed by one with another header.
    case brokenChain

    /// The stable code.
    public var code: String {
        switch self {
        case .tooShort: "apdu-too-short"
        case .tooLong: "apdu-too-long"
        case .wrongLength: "apdu-wrong-length"
        case .tooMuchData: "apdu-too-much-data"
        case .noProgress: "apdu-no-progress"
        case .brokenChain: "apdu-broken-chain"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .tooShort(let count): "\(count) bytes are too few for an APDU."
        case .tooLong(let count): "\(count) bytes are too many for an APDU."
        case .wrongLength: "The length fields of the APDU do not agree with its length."
        case .tooMuchData(let limit): "The answer is longer than the \(limit) bytes allowed."
        case .noProgress: "The card announces more data and sends none."
        case .brokenChain: "A chained command is followed by one with another header."
        }
    }
}
