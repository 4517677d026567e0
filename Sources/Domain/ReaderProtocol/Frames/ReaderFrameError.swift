/// Why bytes are no frame. Nothing that follows them can be read.
public enum ReaderFrameError: Error, Hashable, Sendable {
    /// Another version, or no frame at all.
    case version(UInt8)
    /// A kind that version 1 does not have.
    case kind(UInt8)
    /// A body longer than any may be.
    case length(Int)
    /// The body is not that of its kind.
    case body(ReaderBodyFlaw)

    /// Stable, for operators to search for.
    public var code: String { "nfc-protocol" }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .version(let version): "A frame begins with \(version), which is not version \(ReaderFrame.version)."
        case .kind(let kind): "A frame has the unknown kind \(kind)."
        case .length(let count): "A frame announces \(count) bytes; \(ReaderFrame.mostBodyBytes) is the most."
        case .body(let flaw): "A frame has a body of the wrong form: \(flaw.sentence)."
        }
    }
}
