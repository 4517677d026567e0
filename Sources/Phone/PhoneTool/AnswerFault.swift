import Cryptography
import Encoding

/// What can be wrong with an answer.
public enum AnswerFault: Hashable, Sendable {
    /// One bit is turned over: this one, counted from the first byte's highest; nil: the last of the data.
    case bitFlipped(Int?)
    /// The second half of the data is missing.
    case truncated
    /// There is far more data than asked for.
    case oversized
    /// It is the answer before, again.
    case repeated
    /// It is noise.
    case random
    /// There is no data.
    case empty
    /// The application is not there.
    case applicationUnknown

    private static let statusLength = 2
    private static let oversizeLength = 2000

    /// What is sent in the place of `answer`.
    /// - Parameter last: the answer before, empty if there was none.
    func apply(to answer: [UInt8], after last: [UInt8]) -> [UInt8] {
        let dataLength = max(0, answer.count - Self.statusLength)
        let status = answer.suffix(Self.statusLength)
        switch self {
        case .bitFlipped(let bit): return Self.flip(bit ?? max(0, dataLength * 8 - 1), in: answer)
        case .truncated: return Array(answer.prefix(dataLength / 2) + status)
        case .oversized: return RandomBytes.make(Self.oversizeLength) + status
        case .repeated: return last
        case .random: return RandomBytes.make(1 + Int(RandomBytes.make(1)[0]) % 255)
        case .empty: return Array(status)
        case .applicationUnknown: return ResponseAPDU(status: .fileNotFound).encoded
        }
    }

    private static func flip(_ bit: Int, in answer: [UInt8]) -> [UInt8] {
        guard bit / 8 < answer.count else { return answer }
        var answer = answer
        answer[bit / 8] ^= 0x80 >> (bit % 8)
        return answer
    }
}
