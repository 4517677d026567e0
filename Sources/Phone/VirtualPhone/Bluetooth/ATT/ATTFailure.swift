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
