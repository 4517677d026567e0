import Encoding

/// What passes between whoever wants a file from the network and the program `tapstile-net fetch`, over a Unix socket or a pair of pipes.
///
///     kind(1)   length(4)   body(length, at most 65,536)
///
/// A body is empty, the bytes of a file, or a map of CBOR with numbers as keys. Whatever departs from that ends the connection, and so does
/// a frame that the other side has no right to say. The end of the connection is the end of the program.
///
/// The order of things:
///
/// 1. The asking side says `setUp` once, first. The program says `beat` every second from the first moment on, as long as somebody reads.
/// 2. It says `fetch`. That is answered by one `head`, any number of `bytes` and one `end`, or at any point by one `failed` instead of
///    what is missing: each `fetch` has exactly one `end` or `failed`. Only then it may say the next `fetch`.
/// 3. `cancel` asks for the end of what goes on. One that crosses with the `end` means nothing.
///
/// Nothing that the program says is believed: `FetchWatch` counts its bytes and its time.
public enum FetchFrame: StreamFrame, Hashable {
    /// To the program.
    case order(FetchOrder)
    /// From the program.
    case report(FetchReport)

    public static let version: UInt8? = nil
    public static let lengthBytes = 4
    public static let mostBodyBytes = 65_536

    public static func bodyLimit(ofKind kind: UInt8) -> Int? { FetchFrameKind(rawValue: kind)?.mostBodyBytes }

    public init(kind number: UInt8, body: ArraySlice<UInt8>) throws(FrameError) {
        switch FetchFrameKind(rawValue: number) {
        case .setUp: self = .order(.setUp(try FetchSetup(FetchFields(body))))
        case .fetch: self = .order(.fetch(try FetchJob(FetchFields(body))))
        case .cancel: self = try Self.bare(.order(.cancel), body)
        case .head: self = .report(.head(try FetchHead(FetchFields(body))))
        case .bytes: self = try Self.content(body)
        case .end: self = try Self.bare(.report(.end), body)
        case .failed: self = .report(.failed(try FetchFault(FetchFields(body))))
        case .beat: self = try Self.bare(.report(.beat), body)
        case nil: throw .kind(number)
        }
    }

    private static func bare(_ frame: FetchFrame, _ body: ArraySlice<UInt8>) throws(FrameError) -> FetchFrame {
        guard body.isEmpty else { throw .body("bytes follow where none may") }
        return frame
    }

    private static func content(_ body: ArraySlice<UInt8>) throws(FrameError) -> FetchFrame {
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

    private static func bytes(_ kind: FetchFrameKind, _ body: [UInt8]) -> [UInt8] { Self.bytes(kind: kind.rawValue, body: body) }
}

/// Makes frames of what comes over the connection.
public typealias FetchFrameReader = FrameReader<FetchFrame>

/// The first byte of a frame.
enum FetchFrameKind: UInt8 {
    case fetch = 1
    case head = 2
    case bytes = 3
    case end = 4
    case failed = 5
    case setUp = 6
    case cancel = 7
    case beat = 8

    /// The bodies of these have no more than this many bytes: what is longer is refused before it is held.
    var mostBodyBytes: Int {
        switch self {
        case .bytes: FetchFrame.mostBodyBytes
        case .fetch, .setUp: 8192
        case .head, .failed: 1024
        case .end, .cancel, .beat: 0
        }
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
                agent: String) throws(FrameError) {
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

    init(_ fields: FetchFields) throws(FrameError) {
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
