import Encoding

/// Why a file could not be had, as the program says.
public struct FetchFault: Error, Hashable, Sendable {
    /// What was wrong; the raw value is the stable code.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// No address is known of the host.
        case nameNotFound = "name-not-found"
        /// Nobody answers there, or not by TLS.
        case connectFailed = "connect-failed"
        /// The connection broke off before the answer was whole.
        case connectionLost = "connection-lost"
        /// The proxy cannot be reached or does not let through.
        case proxyFailed = "proxy-failed"
        /// The server could not show that it is the one it should be.
        case certificateRefused = "certificate-refused"
        /// The server does not take our certificate, or wants one.
        case clientCertificateRefused = "client-certificate-refused"
        /// A file of certificates or keys of the set-up cannot be used.
        case certificateUnusable = "certificate-unusable"
        /// Not an address that is asked for, here or after a redirect.
        case addressRefused = "address-refused"
        /// Not an address that the owner of the machine has listed.
        case notListed = "address-not-listed"
        /// Its name leads to this machine or to its own cables.
        case addressLocal = "address-local"
        /// The owner's word on what may be fetched cannot be read.
        case unconfigured = "fetcher-unconfigured"
        /// More redirects than are followed, or one away from TLS.
        case redirectRefused = "redirect-refused"
        /// What was answered is no proper HTTP, or its header is too long.
        case answerMalformed = "answer-malformed"
        /// More bytes than were asked for.
        case tooManyBytes = "too-many-bytes"
        /// Fewer bytes a second than were asked for.
        case tooSlow = "too-slow"
        /// The time is over.
        case timeOver = "time-over"
        /// It was called off.
        case cancelled = "fetch-cancelled"
        /// Something else; the detail says what.
        case other = "fetch-failed"
    }

    /// What was wrong.
    public let kind: Kind
    /// More about it: at most 200 characters of printable ASCII.
    public let detail: String

    /// The longest detail, in bytes.
    public static let mostDetailBytes = 200

    /// - Parameter detail: of any origin; what is not printable ASCII becomes a question mark, and its end is cut off.
    public init(_ kind: Kind, _ detail: String = "") {
        self.kind = kind
        self.detail = String(decoding: detail.utf8.prefix(Self.mostDetailBytes).map { (0x20...0x7E).contains($0) ? $0 : 0x3F }, as: UTF8.self)
    }

    init(_ fields: FetchFields) throws(FrameError) {
        try fields.only(1...2)
        guard let kind = Kind(rawValue: try fields.neededText(1, most: 64)) else { throw .body("it has a code that is unknown") }
        let detail = try fields.text(2, most: Self.mostDetailBytes) ?? ""
        guard detail.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { throw .body("its detail is no plain text") }
        self.init(kind, detail)
    }

    var fields: CBOR {
        FetchFields.body([(1, CBOR(kind.rawValue)), (2, detail.isEmpty ? nil : CBOR(detail))])
    }

    /// Stable, for operators to search for.
    public var code: String { kind.rawValue }

    /// A sentence for people.
    public var message: String { detail.isEmpty ? "\(kind.sentence)." : "\(kind.sentence) (\(detail))." }
}

extension FetchFault.Kind {
    fileprivate var sentence: String {
        switch self {
        case .nameNotFound: "The server's name is not known"
        case .connectFailed: "The server cannot be reached"
        case .connectionLost: "The connection broke off"
        case .proxyFailed: "The proxy does not let us through"
        case .certificateRefused: "The server cannot show that it is the right one"
        case .clientCertificateRefused: "The server does not take our certificate"
        case .certificateUnusable: "A file of certificates or keys cannot be used"
        case .addressRefused: "That address is not asked for"
        case .notListed: "The configuration of this machine does not list that address"
        case .addressLocal: "The server's address is one of this machine or its own cables"
        case .unconfigured: "The fetcher cannot use the configuration"
        case .redirectRefused: "That redirect is not followed"
        case .answerMalformed: "The server's answer is not proper HTTP"
        case .tooManyBytes: "The server sends more than was asked for"
        case .tooSlow: "The server sends too slowly"
        case .timeOver: "It took too long"
        case .cancelled: "It was called off"
        case .other: "It could not be fetched"
        }
    }
}
