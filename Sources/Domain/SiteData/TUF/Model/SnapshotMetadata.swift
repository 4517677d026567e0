import Cryptography
import Encoding

/// Says which version every role has that describes targets, so that they fit together.
public struct SnapshotMetadata: Hashable, Sendable {
    /// Version and expiry.
    public let header: MetadataHeader
    /// The files by the names that metadata gives them: `NAME.json`.
    public let files: [ExactText: MetaFile]

    /// Takes the signed part of a file apart; whether enough keys have signed it is another question.
    public init(_ metadata: SignedMetadata) throws(MetadataFault) {
        header = try MetadataHeader(metadata.signed, of: .snapshot)
        let meta = try metadata.signed.fields("meta")
        var files: [ExactText: MetaFile] = [:]
        for member in meta.object {
            files[ExactText(member.key)] = try MetaFile(try MetadataFields(member.value, meta.place(member.key)))
        }
        guard files[RoleName.targets.metaName] != nil else { throw .field(meta.place(RoleName.targets.metaName.text)) }
        self.files = files
    }

    /// The roles that describe targets, with what it says about their files.
    var roles: [(RoleName, MetaFile)] {
        files.compactMap { name, file in
            guard let role = RoleName(metaName: name), role == .targets || !role.isTopLevel else { return nil }
            return (role, file)
        }
    }

    /// What it says about a role; nil if it does not list it.
    public func file(of role: RoleName) -> MetaFile? { files[role.metaName] }
}

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
