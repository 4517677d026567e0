import Cryptography

/// What a role says about the file of another one.
public struct MetaFile: Hashable, Sendable {
    /// The version of the file.
    public let version: Int64
    /// Its length in bytes, if it is said.
    public let length: Int64?
    /// Its hashes, if they are said.
    public let hashes: FileHashes?

    init(_ fields: MetadataFields) throws(MetadataFault) {
        version = try fields.integer("version", from: 1)
        length = fields.has("length") ? try fields.integer("length", from: 0) : nil
        hashes = fields.has("hashes") ? try FileHashes(try fields.fields("hashes")) : nil
    }

    /// Why bytes are not the file, before anything in them is looked at; nil if they may be.
    func objection(to bytes: [UInt8]) -> UpdateRefusal.Reason? {
        if let length, length != Int64(bytes.count) { return .mixAndMatch(.length) }
        guard let hashes else { return nil }
        guard hashes.isVerifiable else { return .unknownHash }
        return hashes.fits(sha256: SHA256.hash(bytes), sha512: SHA512.hash(bytes)) ? nil : .mixAndMatch(.hash)
    }
}
