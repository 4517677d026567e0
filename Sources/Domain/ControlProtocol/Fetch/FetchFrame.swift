import Encoding

/// What passes between whoever wants a file from the network and the program `tapstile-net fetch`, over a Unix socket or a pair of pipes.
///
///     kind(1)   length(4)   body(length, at most 65,536)
///
/// Numbers are unsigned and big-endian. A body is empty, the bytes of a file, or a map of CBOR with numbers as keys. Whatever departs from
/// that ends the connection, and so does a frame that the other side has no right to say. The end of the connection is the end of the program.
///
/// The order of things:
///
/// 1. The asking side says `setUp` once, first. The program says `beat` every second from the first moment on, as long as somebody reads.
/// 2. It says `fetch`. That is answered by one `head`, any number of `bytes` and one `end`, or at any point by one `failed` instead of
///    what is missing: each `fetch` has exactly one `end` or `failed`. Only then it may say the next `fetch`.
/// 3. `cancel` asks for the end of what goes on. One that crosses with the `end` means nothing.
///
/// Nothing that the program says is believed: `FetchWatch` counts its bytes and its time.
public enum FetchFrame: Hashable, Sendable {
    /// To the program.
    case order(FetchOrder)
    /// From the program.
    case report(FetchReport)

    /// Before the body.
    public static let headLength = 5
    /// The longest body.
    public static let mostBodyBytes = 65_536

    /// Reads what stands behind the head.
    init(_ kind: FetchFrameKind, body: ArraySlice<UInt8>) throws(FetchFrameError) {
        switch kind {
        case .setUp: self = .order(.setUp(try FetchSetup(FetchFields(body))))
        case .fetch: self = .order(.fetch(try FetchJob(FetchFields(body))))
        case .cancel: self = try Self.bare(.order(.cancel), body)
        case .head: self = .report(.head(try FetchHead(FetchFields(body))))
        case .bytes: self = try Self.content(body)
        case .end: self = try Self.bare(.report(.end), body)
        case .failed: self = .report(.failed(try FetchFault(FetchFields(body))))
        case .beat: self = try Self.bare(.report(.beat), body)
        }
    }

    private static func bare(_ frame: FetchFrame, _ body: ArraySlice<UInt8>) throws(FetchFrameError) -> FetchFrame {
        guard body.isEmpty else { throw .body("bytes follow where none may") }
        return frame
    }

    private static func content(_ body: ArraySlice<UInt8>) throws(FetchFrameError) -> FetchFrame {
        guard !body.isEmpty else { throw .body("a piece of a file is empty") }
        return .report(.bytes(Array(body)))
    }

    /// The frame as it goes over the connection.
    public var bytes: [UInt8] {
        switch self {
        case .order(.setUp(let setup)): Self.bytes(.setUp, setup.fields.encoded)
        case .order(.fetch(let job)): Self.bytes(.fetch, job.fields.encoded)
        case .order(.cancel): Self.bytes(.cancel, [])
        case .report(.head(let head)): Self.bytes(.head, head.fields.encoded)
        case .report(.bytes(let bytes)): Self.bytes(.bytes, bytes)
        case .report(.end): Self.bytes(.end, [])
        case .report(.failed(let fault)): Self.bytes(.failed, fault.fields.encoded)
        case .report(.beat): Self.bytes(.beat, [])
        }
    }

    private static func bytes(_ kind: FetchFrameKind, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count)
        return [kind.rawValue, UInt8(length >> 24), UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + body
    }
}

/// What the program is asked for. `FetchFrame` has the rules.
public enum FetchOrder: Hashable, Sendable {
    /// By which way, and who may be trusted on it.
    case setUp(FetchSetup)
    /// A file.
    case fetch(FetchJob)
    /// No more of it.
    case cancel
}

/// The way to servers, and whom to trust on it. Files are named, not sent: the program reads them with its own rights.
public struct FetchSetup: Hashable, Sendable {
    /// The URL of a proxy: `http://proxy.example:3128`. Nil: none, whatever the environment says.
    public let proxy: String?
    /// Names of hosts that are asked without it, with commas between them.
    public let noProxy: String?
    /// A file with the certificates (PEM) of those who may vouch for servers, instead of the system's.
    public let authorities: String?
    /// A file with the certificate (PEM) by which the program shows who it is.
    public let certificate: String?
    /// A file with the key of that certificate (PEM, without a passphrase).
    public let key: String?
    /// What the program calls itself (User-Agent).
    public let agent: String

    /// The longest field, in bytes.
    public static let mostFieldBytes = 1024

    /// - Throws: where a text is longer than 1,024 bytes, has control characters in it, or is empty.
    public init(proxy: String? = nil, noProxy: String? = nil, authorities: String? = nil, certificate: String? = nil, key: String? = nil,
                agent: String) throws(FetchFrameError) {
        (self.proxy, self.noProxy, self.authorities, self.certificate, self.key) = (proxy, noProxy, authorities, certificate, key)
        self.agent = agent
        for text in [proxy, noProxy, authorities, certificate, key, agent] {
            guard let text else { continue }
            guard (1...Self.mostFieldBytes).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw .body("a setting is empty, too long, or no plain text")
            }
        }
    }

    private init(_ other: FetchSetup, agent: String) {
        (proxy, noProxy, authorities, certificate, key) = (other.proxy, other.noProxy, other.authorities, other.certificate, other.key)
        self.agent = agent
    }

    /// The same under another name.
    public func asked(by agent: String) -> FetchSetup { FetchSetup(self, agent: agent) }

    init(_ fields: FetchFields) throws(FetchFrameError) {
        let most = Self.mostFieldBytes
        try fields.only(1...6)
        try self.init(proxy: fields.text(1, most: most), noProxy: fields.text(2, most: most), authorities: fields.text(3, most: most),
                      certificate: fields.text(4, most: most), key: fields.text(5, most: most), agent: fields.neededText(6, most: most))
    }

    var fields: CBOR {
        let texts = [proxy, noProxy, authorities, certificate, key, agent]
        return FetchFields.body(texts.enumerated().map { ($0.offset + 1, $0.element.map { CBOR($0) }) })
    }
}

/// Why bytes are no frame. Nothing that follows them can be read.
public enum FetchFrameError: Error, Hashable, Sendable {
    /// A kind that there is not.
    case kind(UInt8)
    /// A body longer than any of its kind may be.
    case length(Int)
    /// The body is not that of its kind; the text says why.
    case body(String)

    /// Stable, for operators to search for.
    public var code: String { "fetcher-protocol" }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .kind(let kind): "A frame has the unknown kind \(kind)."
        case .length(let count): "A frame announces \(count) bytes, which is more than any of its kind has."
        case .body(let flaw): "A frame has a body of the wrong form: \(flaw)."
        }
    }
}
