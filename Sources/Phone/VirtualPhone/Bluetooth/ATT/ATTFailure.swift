import Encoding

/// Why a procedure did not come to its end.
public enum ATTFailure: Error, Hashable, Sendable {
    /// The gate refused a request.
    case refused(request: UInt8, ATTErrorCode)
    /// The gate has no such service.
    case noService
    /// The service has no such characteristic.
    case noCharacteristic
    /// The gate said something that has no form, or that was not asked. Nothing can be asked after it: nobody knows any more
    /// which answer belongs to what.
    case malformed(UInt8?)
    /// The gate echoed another part than the one prepared.
    case echo
    /// A value is longer than any may be.
    case tooLong

    /// Stable code.
    public var code: String {
        switch self {
        case .refused: "att-refused"
        case .noService: "att-service-missing"
        case .noCharacteristic: "att-characteristic-missing"
        case .malformed: "att-malformed"
        case .echo: "att-echo"
        case .tooLong: "att-too-long"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .refused(let request, let code): "The gate refused request \(Hex.encode([request])) with error \(code)."
        case .noService: "The gate has no such service: it is in the other mode (--classic), or no gate."
        case .noCharacteristic: "The gate's service has no characteristic that can be read and written."
        case .malformed(let opcode):
            "The gate sent something that does not answer the phone\(opcode.map { " (opcode \(Hex.encode([$0])))" } ?? "")."
        case .echo: "The gate echoed another part of a value than the phone had prepared."
        case .tooLong: "A value is longer than the \(ATTLimits.longestValue) bytes that an attribute can have."
        }
    }
}

/// How a procedure ended.
public enum ATTEnd: Hashable, Sendable {
    /// PDUs may be so long.
    case agreed(mtu: Int)
    /// The value of the characteristic has this handle.
    case found(UInt16)
    /// The gate has the value.
    case written
    /// The value, to its end.
    case value([UInt8])
    /// It did not come to its end.
    case failed(ATTFailure)
}

/// Bounds of the Attribute Protocol (Core 5.4, Vol 3 Part F, unless another part is named).
public enum ATTLimits {
    /// Until both sides agreed on more, and the least that either may want (3.2.8; Part G, 5.2.1).
    public static let leastMTU = 23
    /// The most that makes sense: the longest value with the longest header before it.
    public static let greatestMTU = 517
    /// The longest value of an attribute (3.2.9).
    public static let longestValue = 512
    /// How long a request may stay without a response (3.3.3).
    public static let transactionMilliseconds = 30_000
    /// Before the value of a Write Request: opcode and handle (3.4.5.1).
    static let writeHeader = 3
    /// Before a part of a Prepare Write Request: opcode, handle and offset (3.4.6.1).
    static let prepareHeader = 5
    /// Before the value of a read or blob: opcode (3.4.4.4, 3.4.4.6).
    static let readHeader = 1
    /// The highest offset that a request can name.
    static let greatestOffset = 0xFFFF
}
