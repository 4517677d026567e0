/// The reader's side of answers in parts: as long as the card says 61xx, asks with GET RESPONSE
/// (ISO/IEC 7816-4, 5.3.4 and 11.8.1), and puts the parts together.
public struct ResponseCollector: Sendable {
    /// What to do with the response just received.
    public enum Action: Hashable, Sendable {
        /// More waits: send this GET RESPONSE and give its answer to `receive`.
        case send(CommandAPDU)
        /// The whole answer and the status that ended it.
        case complete([UInt8], StatusWord)
    }

    /// The instruction GET RESPONSE.
    public static let getResponse: UInt8 = 0xC0

    private let limit: Int
    private let cla: UInt8
    private var data: [UInt8] = []
    private var hasAsked = false

    /// A collector of an answer of at most `limit` bytes; `cla` is the class byte of GET RESPONSE.
    public init(limit: Int, cla: UInt8 = 0x00) {
        self.limit = limit
        self.cla = cla
    }

    /// Takes the next response.
    /// - Throws: `tooMuchData` when more than the limit has come or is promised, `noProgress` when a
    ///   GET RESPONSE was answered by nothing but another promise. So a card cannot keep a reader busy
    ///   for more responses than the limit has bytes.
    public mutating func receive(_ response: ResponseAPDU) throws(APDUError) -> Action {
        guard response.data.count <= limit - data.count else { throw .tooMuchData(limit: limit) }
        if data.isEmpty { data = response.data } else { data += response.data }
        guard let promised = response.status.availableCount else {
            return .complete(data, response.status)
        }
        // 6100 says "256 or more", any other 61xx the exact rest.
        guard data.count + promised <= limit else { throw .tooMuchData(limit: limit) }
        if hasAsked && response.data.isEmpty { throw .noProgress }
        hasAsked = true
        return .send(CommandAPDU(cla: cla, ins: Self.getResponse, expectedLength: promised))
    }
}

/// What a card answers: data and a status word (ISO/IEC 7816-4, 5.1).
public struct ResponseAPDU: Hashable, Sendable {
    /// 0 to 65,536 bytes.
    public let data: [UInt8]
    /// How the command ended.
    public let status: StatusWord

    /// The most data an extended response can carry.
    public static let maximumDataCount = 65_536

    /// A response of `data` (at most `maximumDataCount` bytes) and `status`.
    public init(data: [UInt8] = [], status: StatusWord = .success) {
        precondition(data.count <= Self.maximumDataCount, "A response carries at most 65,536 bytes")
        self.data = data
        self.status = status
    }

    /// Takes a response apart.
    /// - Throws: `tooShort` below two bytes, `tooLong` beyond what an extended response can be.
    public init(parsing bytes: [UInt8]) throws(APDUError) {
        guard bytes.count >= 2 else { throw .tooShort(count: bytes.count) }
        guard bytes.count <= Self.maximumDataCount + 2 else { throw .tooLong(count: bytes.count) }
        let end = bytes.count - 2
        data = Array(bytes[..<end])
        status = StatusWord(rawValue: UInt16(bytes[end]) << 8 | UInt16(bytes[end + 1]))
    }

    /// The bytes on the air.
    public var encoded: [UInt8] { data + status.encoded }
}

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
