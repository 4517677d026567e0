import Conversations
import Encoding

/// One command and its answer, and how long they took. Microseconds.
public struct TapStep: Hashable, Sendable {
    /// The instruction byte; 0 if the command had none.
    public let instruction: UInt8
    /// Length of the command and of the answer.
    public let commandLength: Int
    public let answerLength: Int
    /// From our answer before until this command came: the gate and the way to it. Nil for the first.
    public let waited: Int64?
    /// What the phone took to answer.
    public let own: Int64

    /// What the command is called.
    public var name: String {
        switch instruction {
        case OnTouchProfile.selectInstruction: "SELECT"
        case OnTouchProfile.exchangeInstruction: "EXCHANGE"
        case OnTouchProfile.outcomeInstruction: "OUTCOME"
        case ResponseCollector.getResponse: "GET RESPONSE"
        default: "INS \(Hex.encode([instruction]))"
        }
    }

    /// Bytes in both directions.
    public var byteCount: Int { commandLength + answerLength }
    /// The same with the frames of ISO/IEC 14443-4 around them.
    public var framedByteCount: Int { Self.framed(commandLength) + Self.framed(answerLength) }

    /// Bytes of an APDU in blocks of at most 256 bytes (FSD and FSC of phones), each with a byte of
    /// protocol control and two of check sum; each block but the last is acknowledged by one without data.
    static func framed(_ length: Int) -> Int {
        let blocks = max(1, (length + blockData - 1) / blockData)
        return length + blocks * blockOverhead + (blocks - 1) * blockOverhead
    }

    private static let blockOverhead = 3
    private static let blockData = 256 - blockOverhead
}
