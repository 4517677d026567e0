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
