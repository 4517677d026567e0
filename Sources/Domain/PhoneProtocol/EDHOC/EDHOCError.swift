import Encoding

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

/// Bounds on what the other side may send. RFC 9528 sets none (3.4); these follow from the carriers.
enum EDHOCLimits {
    /// Longest message read, in bytes. A token by value makes message_3 about 330; certificates and
    /// tokens with more claims fit three times over.
    static let maximumMessage = 1024

    /// Longest connection identifier read. Ours have one byte.
    static let maximumConnectionIdentifier = 16

    /// The content of a message that is exactly one byte string (RFC 9528, 5.3.1, 5.4.1, 5.5.1).
    static func soleByteString(of message: [UInt8]) throws(EDHOCError) -> [UInt8] {
        guard message.count <= maximumMessage else { throw .tooLong(maximumMessage) }
        guard let item = try? CBOR.decode(message), let bytes = item.bytes else { throw .malformed("message") }
        return bytes
    }
}

/// The error message of EDHOC on the wire (RFC 9528, 6): `error = (ERR_CODE : int, ERR_INFO : any)`.
/// It is not protected: whoever receives one learns nothing certain from it.
public enum EDHOCErrorMessage: Hashable, Sendable {
    /// Code 1, with a text for people who debug.
    case unspecified(String)
    /// Code 2: the suites that the responder supports.
    case wrongSuite([Int])
    /// Code 3: the credential was given by a reference that the other side cannot resolve.
    case unknownCredential
    /// A code that this version does not know.
    case other(Int)

    /// Longest error message that is read. The RFC sets no bound; ours are shorter than 40 bytes.
    static let maximumLength = 255

    /// The CBOR sequence.
    public var encoded: [UInt8] {
        switch self {
        case .unspecified(let text): CBOR.encodeSequence([1, .text(text)])
        case .wrongSuite(let suites): CBOR.encodeSequence([2, SuiteList.encode(suites)])
        case .unknownCredential: CBOR.encodeSequence([3, true])
        case .other(let code): CBOR.encodeSequence([CBOR(code), .text("")])
        }
    }

    /// Reads an error message; throws `malformed` for anything else. Code 0 means success and never
    /// travels.
    public init(parsing bytes: [UInt8]) throws(EDHOCError) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong(Self.maximumLength) }
        guard let items = try? CBOR.decodeSequence(bytes), items.count == 2,
              let number = items[0].integer, number != 0, let code = Int(exactly: number)
        else { throw .malformed("error") }
        switch code {
        case 1:
            guard let text = items[1].text else { throw .malformed("ERR_INFO") }
            self = .unspecified(text)
        case 2:
            self = .wrongSuite(try SuiteList.decode(items[1]))
        case 3:
            guard items[1].bool == true else { throw .malformed("ERR_INFO") }
            self = .unknownCredential
        default:
            self = .other(code)
        }
    }

    /// ERR_CODE of what is meant as an error message, whether or not its ERR_INFO is what it should be; nil for anything
    /// else. Messages 2 to 4 are one byte string and message_1 has four items at least, so that nothing is both.
    static func code(of bytes: [UInt8]) -> Int64? {
        // An integer begins with 000 or 001: no message_3 is read here before it is read.
        guard let first = bytes.first, first < 0x40, bytes.count <= EDHOCLimits.maximumMessage else { return nil }
        guard let items = try? CBOR.decodeSequence(bytes), items.count == 2 else { return nil }
        return items[0].integer
    }
}
