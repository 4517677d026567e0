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
