/// Reads the parts of a TZif file (RFC 9636, 3). No count is believed before the bytes it speaks of are known to be there.
struct TimeZoneReader {
    /// The header: what the block after it holds.
    struct Header {
        let version: Int
        let utcIndicators: Int
        let standardIndicators: Int
        let leapSeconds: Int
        let times: Int
        let types: Int
        let characters: Int
    }

    /// What is needed of a block.
    struct Block {
        let times: [Int64]
        /// An index into `offsets` for each time.
        let types: [Int]
        /// One at least.
        let offsets: [Int64]
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func header() throws(TimeZoneDataError) -> Header {
        let magic = try read(4)
        let version = try read(1).first
        _ = try read(15)
        guard magic.elementsEqual("TZif".utf8), let number = Self.version(version) else { throw .notZoneData }
        return Header(version: number, utcIndicators: try count(), standardIndicators: try count(), leapSeconds: try count(),
                      times: try count(), types: try count(), characters: try count())
    }

    mutating func skipBlock(_ header: Header, timeLength: Int) throws(TimeZoneDataError) {
        _ = try read(Self.length(header, timeLength))
    }

    mutating func block(_ header: Header, timeLength: Int) throws(TimeZoneDataError) -> Block {
        guard bytes.count - position >= Self.length(header, timeLength) else { throw .truncated }
        guard header.leapSeconds == 0 else { throw .leapSeconds }
        guard (1...256).contains(header.types), header.characters > 0,
              [0, header.types].contains(header.utcIndicators), [0, header.types].contains(header.standardIndicators) else {
            throw .badCount
        }
        var times: [Int64] = []
        for _ in 0..<header.times { times.append(try signed(timeLength)) }
        let types = try read(header.times).map(Int.init)
        guard types.allSatisfy({ $0 < header.types }) else { throw .badCount }
        var offsets: [Int64] = []
        for _ in 0..<header.types { offsets.append(try localTimeType(header)) }
        _ = try read(header.characters + header.standardIndicators + header.utcIndicators)
        return Block(times: times, types: types, offsets: offsets)
    }

    /// A TZ string between two line feeds; nil when it is empty, so that nothing is said about later years.
    mutating func footer() throws(TimeZoneDataError) -> PosixZone? {
        guard try read(1).first == Self.lineFeed else { throw .badFooter }
        guard let end = bytes[position...].firstIndex(of: Self.lineFeed) else { throw .truncated }
        let text = try read(end - position)
        _ = try read(1)
        if text.isEmpty { return nil }
        guard let zone = PosixZone(text) else { throw .badFooter }
        return zone
    }

    private static let lineFeed: UInt8 = 0x0A

    /// NUL is version 1, the others are digits.
    private static func version(_ byte: UInt8?) -> Int? {
        guard let byte else { return nil }
        if byte == 0 { return 1 }
        return (0x32...0x34).contains(byte) ? Int(byte) - 0x30 : nil
    }

    /// Counts have 32 bits and factors one digit, so that nothing overflows.
    private static func length(_ header: Header, _ timeLength: Int) -> Int {
        header.times * (timeLength + 1) + header.types * 6 + header.characters + header.leapSeconds * (timeLength + 4)
            + header.standardIndicators + header.utcIndicators
    }

    private mutating func localTimeType(_ header: Header) throws(TimeZoneDataError) -> Int64 {
        let offset = try signed(4)
        let flags = try read(2)
        guard let isDaylight = flags.first, let name = flags.last, isDaylight <= 1, Int(name) < header.characters else { throw .badCount }
        guard TimeZoneData.offsets.contains(offset) else { throw .badOffset }
        return offset
    }

    private mutating func count() throws(TimeZoneDataError) -> Int {
        try read(4).reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func signed(_ length: Int) throws(TimeZoneDataError) -> Int64 {
        let field = try read(length)
        let start: Int64 = (field.first ?? 0) >= 0x80 ? -1 : 0
        return field.reduce(start) { $0 << 8 | Int64($1) }
    }

    private mutating func read(_ length: Int) throws(TimeZoneDataError) -> ArraySlice<UInt8> {
        guard length <= bytes.count - position else { throw .truncated }
        defer { position += length }
        return bytes[position..<position + length]
    }
}

/// The name of a time zone of the tz database, such as `Europe/Berlin`, that is safe as a path below the folder of
/// zones.
public struct TimeZoneName: Hashable, Sendable {
    /// The name.
    public let text: String

    /// The longest name in bytes; the longest of the tz database has 32.
    public static let longest = 64

    /// A name; nil unless it consists of parts of letters, digits, `+`, `-` and `_`, with a single `/` between them, each
    /// beginning with a letter: no `..`, no absolute path, no hidden file.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count) else { return nil }
        let parts = text.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard parts.allSatisfy(Self.isPart) else { return nil }
        self.text = text
    }

    private static func isPart(_ part: Substring.UTF8View) -> Bool {
        guard let first = part.first, isLetter(first) else { return false }
        return part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x5F].contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}

extension TimeZoneName: CustomStringConvertible {
    public var description: String { text }
}
