/// Why a step of an EDHOC exchange failed. After any of these the exchange is over: its state
/// accepts and produces nothing more.
public enum EDHOCError: Error, Hashable, Sendable {
    /// The bytes are not the message they should be; the text names the field.
    case malformed(String)
    /// The message is longer than the bound of its kind, in bytes.
    case tooLong(Int)
    /// METHOD is unknown or not allowed here.
    case methodNotSupported(Int)
    /// The selected suite is not the first of the initiator's that we support; these are ours.
    case wrongSuite(supported: [Int])
    /// An EAD item that must be understood is not (RFC 9528, 3.8).
    case criticalItemNotUnderstood(label: Int)
    /// A point is not on its curve, or the shared secret is all zero.
    case badEphemeralKey
    /// The ciphertext does not open.
    case notDecrypted
    /// Signature_or_MAC does not verify with any of the given keys.
    case proofFailed
    /// Nobody is known under the credential identifier that was received.
    case unknownCredential
    /// A key of the wrong use or curve for the method and suite.
    case keyDoesNotFit
    /// A step was asked for out of its order, or after a failure.
    case outOfOrder
    /// The cryptographic library refused; the text is its code.
    case cryptography(String)

    /// Whether the suite alone is at fault.
    var isWrongSuite: Bool {
        switch self {
        case .wrongSuite: true
        case .malformed, .tooLong, .methodNotSupported, .criticalItemNotUnderstood, .badEphemeralKey, .notDecrypted,
             .proofFailed, .unknownCredential, .keyDoesNotFit, .outOfOrder, .cryptography: false
        }
    }

    /// Stable code for logs and the journal.
    public var code: String {
        switch self {
        case .malformed: "edhoc-malformed"
        case .tooLong: "edhoc-too-long"
        case .methodNotSupported: "edhoc-method-not-supported"
        case .wrongSuite: "edhoc-wrong-suite"
        case .criticalItemNotUnderstood: "edhoc-critical-item"
        case .badEphemeralKey: "edhoc-bad-ephemeral-key"
        case .notDecrypted: "edhoc-not-decrypted"
        case .proofFailed: "edhoc-proof-failed"
        case .unknownCredential: "edhoc-unknown-credential"
        case .keyDoesNotFit: "edhoc-key-does-not-fit"
        case .outOfOrder: "edhoc-out-of-order"
        case .cryptography: "edhoc-cryptography"
        }
    }

    /// One sentence for people.
    public var message: String {
        switch self {
        case .malformed(let field): "The EDHOC message is malformed: \(field)."
        case .tooLong(let bound): "The EDHOC message is longer than \(bound) bytes."
        case .methodNotSupported(let method): "EDHOC method \(method) is not supported here."
        case .wrongSuite(let supported): "The selected cipher suite is not supported; \(supported) are."
        case .criticalItemNotUnderstood(let label): "The critical EAD item \(label) is not understood."
        case .badEphemeralKey: "The ephemeral key of the other side is not a valid point."
        case .notDecrypted: "The ciphertext does not decrypt."
        case .proofFailed: "The other side's proof of its key does not verify."
        case .unknownCredential: "Nobody is known under the given credential identifier."
        case .keyDoesNotFit: "The key does not fit the method or the cipher suite."
        case .outOfOrder: "This step is not the next one of the exchange."
        case .cryptography(let code): "The cryptographic library refused (\(code))."
        }
    }
}
