/// Cuts a stream of bytes into lines of bounded length.
struct LineBuffer: Sendable {
    enum Next: Hashable, Sendable {
        /// A line without its end. Empty lines are passed over.
        case line([UInt8])
        /// The line goes on beyond the limit.
        case overlong
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    /// Bytes before it were given out.
    private var start = 0
    /// Bytes before it hold no line end.
    private var searched = 0

    /// - Parameter limit: bytes of a line without its end.
    init(limit: Int) { self.limit = limit }

    mutating func append(_ more: some Sequence<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// `next` would answer something.
    var hasLine: Bool {
        bytes.count - start > limit || bytes[searched...].contains(UInt8(ascii: "\n"))
    }

    /// The next line, nil when it has not yet come whole.
    mutating func next() -> Next? {
        while let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = bytes[start..<end]
            (start, searched) = (end + 1, end + 1)
            if line.count > limit { return .overlong }
            if !line.isEmpty { return .line(Array(line)) }
        }
        bytes.removeFirst(start)
        start = 0
        searched = bytes.count
        return bytes.count > limit ? .overlong : nil
    }
}
