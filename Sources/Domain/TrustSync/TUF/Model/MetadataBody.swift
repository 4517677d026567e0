/// The signed part of a file of one kind.
protocol MetadataBody: Sendable {
    /// Takes the signed part apart.
    init(_ metadata: SignedMetadata) throws(MetadataFault)
    /// Version and expiry.
    var header: MetadataHeader { get }
}

extension RootMetadata: MetadataBody {}
extension TimestampMetadata: MetadataBody {}
extension SnapshotMetadata: MetadataBody {}
extension TargetsMetadata: MetadataBody {}
