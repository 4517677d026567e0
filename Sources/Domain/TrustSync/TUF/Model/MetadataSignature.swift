import Encoding

/// One signature as a file has it.
public struct MetadataSignature: Hashable, Sendable {
    /// The key it is said to be of.
    public let keyIdentifier: ExactText
    /// Its bytes; empty when its text was no hexadecimal. A bad signature beside enough good ones does no
    /// harm, and repositories leave empty ones for those who have not signed yet.
    public let bytes: [UInt8]

    init(_ fields: MetadataFields) throws(MetadataFault) {
        let identifier = try fields.string("keyid")
        guard identifier.utf8.count <= MetadataBounds.keyIdentifierLength else { throw .field(fields.place("keyid")) }
        keyIdentifier = ExactText(identifier)
        let text = try fields.string("sig")
        bytes = (try? Hex.decode(text)) ?? []
    }
}
