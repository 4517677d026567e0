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
