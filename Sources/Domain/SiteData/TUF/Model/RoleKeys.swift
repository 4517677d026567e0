import Encoding

/// Whose signatures a role needs, and how many.
public struct RoleKeys: Hashable, Sendable {
    /// The keys by their identifiers, each once.
    public let identifiers: [ExactText]
    /// How many of them must have signed, at least 1. There may be fewer keys: nobody can sign for such a
    /// role, and that is no fault of the role that says so.
    public let threshold: Int64

    init(_ fields: MetadataFields) throws(MetadataFault) {
        let keys = try fields.strings("keyids", atMost: MetadataBounds.keysOfRole, length: MetadataBounds.keyIdentifierLength)
        identifiers = keys.map(ExactText.init)
        threshold = try fields.integer("threshold", from: 1)
        var seen: Set<ExactText> = []
        for key in identifiers where !seen.insert(key).inserted { throw .duplicateKey(keyIdentifier: key.text) }
    }
}
