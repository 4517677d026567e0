/// Reads data objects one after the other.
struct BERTLVReader {
    /// Longest tag field (ISO/IEC 7816-4, 5.2.2.1).
    private static let maximumTagCount = 3
    /// Longest length field after its first byte (ISO/IEC 7816-4, 5.2.2.2).
    private static let maximumLengthCount = 4

    private var rest: ArraySlice<UInt8>
    private let start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        start = bytes.startIndex
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// How many bytes were read.
    var offset: Int { rest.startIndex - start }

    /// The next object; nil at the end.
    mutating func next() throws(BERTLVError) -> BERTLV? {
        guard !rest.isEmpty else { return nil }
        let begin = offset
        let tag = try tag(begin)
        let length = try length()
        guard length <= rest.count else { throw BERTLVError(.truncated, at: begin) }
        defer { rest = rest.dropFirst(length) }
        return BERTLV(tag: tag, value: Array(rest.prefix(length)))
    }

    /// Whether `number` is a tag field (ISO/IEC 7816-4, 5.2.2.1): not `00`, which is padding; where five
    /// low bits set announce more bytes, the second is no `00` to `1E` and no `80`, and all but the last
    /// have bit 8 set.
    static func isTag(_ number: UInt32) -> Bool {
        switch number {
        case 0: false
        case ...0xFF: number & 0x1F != 0x1F
        case ...0xFFFF: number >> 8 & 0x1F == 0x1F && (0x1F...0x7F).contains(number & 0xFF)
        case ...0xFF_FFFF:
            number >> 16 & 0x1F == 0x1F && number & 0x8000 != 0 && number & 0xFF00 != 0x8000
                && number & 0x80 == 0
        default: false
        }
    }

    private mutating func byte() throws(BERTLVError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw BERTLVError(.truncated, at: offset) }
        return byte
    }

    private mutating func tag(_ begin: Int) throws(BERTLVError) -> UInt32 {
        let first = try byte()
        var tag = UInt32(first)
        if first & 0x1F == 0x1F {
            var last: UInt8 = 0x80
            while last & 0x80 != 0 {
                guard offset - begin < Self.maximumTagCount else { throw BERTLVError(.invalidTag, at: begin) }
                last = try byte()
                tag = tag << 8 | UInt32(last)
            }
        }
        guard Self.isTag(tag) else { throw BERTLVError(.invalidTag, at: begin) }
        return tag
    }

    private mutating func length() throws(BERTLVError) -> Int {
        let begin = offset
        let first = try byte()
        guard first >= 0x80 else { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...Self.maximumLengthCount).contains(count) else {
            throw BERTLVError(.invalidLength, at: begin)
        }
        var length = 0
        for _ in 0..<count { length = length << 8 | Int(try byte()) }
        return length
    }
}
