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
