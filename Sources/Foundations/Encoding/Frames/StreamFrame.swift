/// A set of messages that pass over a stream between two programs of ours, each as one frame.
///
///     version(1), where the set has one   kind(1)   length(2 or 4)   body(length)
///
/// Numbers are unsigned and big-endian. Whatever departs from that ends the connection: nothing that follows can be read.
public protocol StreamFrame: Sendable {
    /// The first byte of every frame; nil where the kind is.
    static var version: UInt8? { get }
    /// The bytes of the length.
    static var lengthBytes: Int { get }
    /// The longest body of all kinds.
    static var mostBodyBytes: Int { get }
    /// The longest body of a kind; nil for a kind that there is not. What is longer is refused before it is held.
    static func bodyLimit(ofKind kind: UInt8) -> Int?
    /// Reads what stands behind the head.
    init(kind: UInt8, body: ArraySlice<UInt8>) throws(FrameError)
}

extension StreamFrame {
    /// Before the body.
    public static var headLength: Int { (version == nil ? 0 : 1) + 1 + lengthBytes }

    /// A frame as it goes over the stream.
    /// - Parameter body: no longer than its kind may have.
    public static func bytes(kind: UInt8, body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headLength + body.count)
        if let version { bytes.append(version) }
        bytes.append(kind)
        for place in stride(from: lengthBytes - 1, through: 0, by: -1) { bytes.append(UInt8(body.count >> (8 * place) & 0xFF)) }
        return bytes + body
    }
}

/// Why bytes are no frame.
public enum FrameError: Error, Hashable, Sendable {
    /// Another version, or no frame at all.
    case version(UInt8)
    /// A kind that there is not, or that this side does not say.
    case kind(UInt8)
    /// A body longer than any of its kind may be.
    case length(Int)
    /// The body is not that of its kind; the text says why.
    case body(String)

    /// A sentence for people.
    public var message: String {
        switch self {
        case .version(let version): "A frame begins with \(version): the program at the other end is of another version, or none of ours."
        case .kind(let kind): "A frame has the unknown kind \(kind)."
        case .length(let count): "A frame announces \(count) bytes, which is more than any of its kind has."
        case .body(let flaw): "A frame has a body of the wrong form: \(flaw)."
        }
    }
}
