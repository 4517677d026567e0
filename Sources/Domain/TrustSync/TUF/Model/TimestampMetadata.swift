/// Says which snapshot is the newest.
public struct TimestampMetadata: Hashable, Sendable {
    /// Version and expiry.
    public let header: MetadataHeader
    /// The snapshot.
    public let snapshot: MetaFile

    /// Takes the signed part of a file apart; whether enough keys have signed it is another question.
    public init(_ metadata: SignedMetadata) throws(MetadataFault) {
        header = try MetadataHeader(metadata.signed, of: .timestamp)
        snapshot = try MetaFile(try metadata.signed.fields("meta").fields(RoleName.snapshot.metaName.text))
    }
}
