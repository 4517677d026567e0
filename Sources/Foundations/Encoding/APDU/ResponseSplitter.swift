/// The card's side of answers in parts: hands out what does not fit one response, part by part, as
/// GET RESPONSE asks for it (ISO/IEC 7816-4, 5.3.4).
public struct ResponseSplitter: Sendable {
    private var rest: ArraySlice<UInt8>
    private let status: StatusWord
    private let partCount: Int

    /// An answer of `data`, ended by `status`, in parts of at most `partCount` (1 to 256) bytes.
    public init(_ data: [UInt8], status: StatusWord = .success, partCount: Int = 256) {
        precondition((1...256).contains(partCount), "A short response carries 1 to 256 bytes")
        rest = data[...]
        self.status = status
        self.partCount = partCount
    }

    /// Whether everything was handed out.
    public var isEmpty: Bool { rest.isEmpty }

    /// The next part, for a command with this expected length (nil or more than a part is a whole part).
    /// Its status is 61xx while more waits, then the status of the answer.
    public mutating func next(expectedLength: Int? = nil) -> ResponseAPDU {
        let part = rest.prefix(min(partCount, expectedLength ?? partCount))
        rest = rest.dropFirst(part.count)
        return ResponseAPDU(data: Array(part), status: isEmpty ? status : .moreAvailable(rest.count))
    }
}
