import Encoding

/// What metadata says about a target.
public struct TargetFile: Hashable, Sendable {
    /// Its length in bytes.
    public let length: Int64
    /// Its hashes.
    public let hashes: FileHashes
    /// What the product says about it; nil if there is nothing.
    public let custom: JSONObject?

    init(_ fields: MetadataFields) throws(MetadataFault) {
        length = try fields.integer("length", from: 0)
        hashes = try FileHashes(try fields.fields("hashes"))
        custom = fields.has("custom") ? try fields.fields("custom").object : nil
    }
}
