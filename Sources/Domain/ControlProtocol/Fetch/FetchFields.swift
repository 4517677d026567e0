import Encoding

/// The fields of a body: a map of CBOR with small numbers as keys.
struct FetchFields {
    private let map: CBORMap

    init(_ body: ArraySlice<UInt8>) throws(FrameError) {
        let item: CBOR
        do throws(CBORError) {
            item = try CBOR.decode(Array(body))
        } catch {
            throw .body(error.code)
        }
        guard case .map(let map) = item else { throw .body("it is no map") }
        self.map = map
    }

    /// A field that the reader does not know is refused: both sides are of one version.
    func only(_ keys: ClosedRange<Int>) throws(FrameError) {
        for key in map.keys {
            guard let number = key.integer, keys.contains(Int(number)) else { throw .body("it has a field that is unknown") }
        }
    }

    func text(_ key: Int, most: Int) throws(FrameError) -> String? {
        guard let item = map[CBOR(key)] else { return nil }
        guard let text = item.text, text.utf8.count <= most else { throw .body("field \(key) is no text of at most \(most) bytes") }
        return text
    }

    func neededText(_ key: Int, most: Int) throws(FrameError) -> String {
        guard let text = try text(key, most: most) else { throw .body("field \(key) is missing") }
        return text
    }

    func number(_ key: Int, in range: ClosedRange<Int64>) throws(FrameError) -> Int64? {
        guard let item = map[CBOR(key)] else { return nil }
        guard let number = item.integer, range.contains(number) else {
            throw .body("field \(key) is no number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    func neededNumber(_ key: Int, in range: ClosedRange<Int64>) throws(FrameError) -> Int64 {
        guard let number = try number(key, in: range) else { throw .body("field \(key) is missing") }
        return number
    }

    /// The body of these fields; those without a value are left out.
    static func body(_ fields: [(Int, CBOR?)]) -> CBOR {
        .map(CBORMap(fields.compactMap { key, value in value.map { (CBOR(key), $0) } }))
    }
}

/// What a server has answered, after redirects.
public struct FetchHead: Hashable, Sendable {
    /// 200 whole file, 206 from the offset on, 304 unchanged, 404 not there, 416 the offset is beyond the end, and others. Only with the first
    /// two bytes follow.
    public let status: Int
    /// How many bytes follow, where the server says so.
    public let length: Int64?
    /// The tag of this version of the file.
    public let etag: String?

    /// - Throws: where the status is none (RFC 9110, 15), the length is negative or the tag is none.
    public init(status: Int, length: Int64? = nil, etag: String? = nil) throws(FrameError) {
        guard (200...599).contains(status) else { throw .body("that is no status of a final answer") }
        if let length { guard length >= 0 else { throw .body("a length is below zero") } }
        if let etag { guard FetchJob.isETag(etag) else { throw .body("that is no entity tag") } }
        (self.status, self.length, self.etag) = (status, length, etag)
    }

    init(_ fields: FetchFields) throws(FrameError) {
        try fields.only(1...3)
        try self.init(status: Int(fields.neededNumber(1, in: 200...599)), length: fields.number(2, in: 0...Int64.max),
                      etag: fields.text(3, most: FetchJob.mostETagBytes))
    }

    var fields: CBOR {
        FetchFields.body([(1, CBOR(status)), (2, length.map { CBOR($0) }), (3, etag.map { CBOR($0) })])
    }

    /// Whether bytes of the file may follow.
    public var hasContent: Bool { status == 200 || status == 206 }
}

/// What the program says, of which nothing is believed. `FetchFrame` has the rules.
public enum FetchReport: Hashable, Sendable {
    /// The server has answered.
    case head(FetchHead)
    /// The next bytes of the file: 1 to 65,536.
    case bytes([UInt8])
    /// It is whole, says the program.
    case end
    /// There is no more of it.
    case failed(FetchFault)
    /// The program lives.
    case beat
}
