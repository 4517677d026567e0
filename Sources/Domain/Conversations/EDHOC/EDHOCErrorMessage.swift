import Encoding

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
        guard bytes.count <= EDHOCLimits.maximumMessage, let items = try? CBOR.decodeSequence(bytes), items.count == 2
        else { return nil }
        return items[0].integer
    }
}
