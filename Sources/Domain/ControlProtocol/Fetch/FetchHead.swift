import Encoding

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
    public init(status: Int, length: Int64? = nil, etag: String? = nil) throws(FetchFrameError) {
        guard (200...599).contains(status) else { throw .body("that is no status of a final answer") }
        if let length { guard length >= 0 else { throw .body("a length is below zero") } }
        if let etag { guard FetchJob.isETag(etag) else { throw .body("that is no entity tag") } }
        (self.status, self.length, self.etag) = (status, length, etag)
    }

    init(_ fields: FetchFields) throws(FetchFrameError) {
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
