import Encoding

/// One file that is wanted, and within which bounds.
public struct FetchJob: Hashable, Sendable {
    /// `https://…` or `http://…`, in ASCII, without a name and password in it.
    public let url: String
    /// The longest that the file may be, with what is there already.
    public let mostBytes: Int64
    /// So long it may take, from the first name looked up to the last byte.
    public let milliseconds: Int64
    /// Fewer bytes a second, counted over each `windowMilliseconds`, are too few.
    public let minimumRate: Int64
    /// The stretch of time over which the rate is counted.
    public let windowMilliseconds: Int64
    /// The tag of the version that is there already: an unchanged file is then answered by status 304, without bytes.
    public let etag: String?
    /// Where to go on in a file of which the beginning is there; 0 for all of it.
    public let offset: Int64

    /// The longest URL.
    public static let mostURLBytes = 4096
    /// The longest tag, quotes included.
    public static let mostETagBytes = 256
    /// Ten days.
    public static let mostMilliseconds: Int64 = 864_000_000

    /// - Throws: where a value is beyond what a frame carries.
    public init(url: String, mostBytes: Int64, milliseconds: Int64, minimumRate: Int64, windowMilliseconds: Int64 = 30_000,
                etag: String? = nil, offset: Int64 = 0) throws(FrameError) {
        guard Self.isURL(url) else { throw .body("that is no URL of http or https in at most \(Self.mostURLBytes) characters of ASCII") }
        if let etag { guard Self.isETag(etag) else { throw .body("that is no entity tag") } }
        guard offset >= 0, minimumRate >= 0, mostBytes >= offset else { throw .body("a number is below what it may be") }
        guard (1...Self.mostMilliseconds).contains(milliseconds), (1...Self.mostMilliseconds).contains(windowMilliseconds) else {
            throw .body("a time is no time of at most ten days")
        }
        (self.url, self.mostBytes, self.milliseconds, self.minimumRate) = (url, mostBytes, milliseconds, minimumRate)
        (self.windowMilliseconds, self.etag, self.offset) = (windowMilliseconds, etag, offset)
    }

    init(_ fields: FetchFields) throws(FrameError) {
        try fields.only(1...7)
        try self.init(url: fields.neededText(1, most: Self.mostURLBytes), mostBytes: fields.neededNumber(2, in: 0...Int64.max),
                      milliseconds: fields.neededNumber(3, in: 1...Self.mostMilliseconds),
                      minimumRate: fields.neededNumber(4, in: 0...Int64.max),
                      windowMilliseconds: fields.number(7, in: 1...Self.mostMilliseconds) ?? 30_000,
                      etag: fields.text(5, most: Self.mostETagBytes), offset: fields.number(6, in: 0...Int64.max) ?? 0)
    }

    var fields: CBOR {
        FetchFields.body([
            (1, CBOR(url)), (2, CBOR(mostBytes)), (3, CBOR(milliseconds)), (4, CBOR(minimumRate)), (5, etag.map { CBOR($0) }),
            (6, offset == 0 ? nil : CBOR(offset)), (7, windowMilliseconds == 30_000 ? nil : CBOR(windowMilliseconds))])
    }

    /// Schemes are compared without case (RFC 3986, 3.1).
    static func isURL(_ text: String) -> Bool {
        let lower = text.lowercased()
        guard lower.hasPrefix("https://") || lower.hasPrefix("http://") else { return false }
        return text.utf8.count <= mostURLBytes && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// RFC 9110, 8.8.3: quotes, with `W/` before them for a weak one; visible ASCII.
    public static func isETag(_ text: String) -> Bool {
        let bytes = Array(text.hasPrefix("W/") ? text.utf8.dropFirst(2) : text.utf8[...])
        guard bytes.count >= 2, text.utf8.count <= mostETagBytes, bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 }
    }
}
