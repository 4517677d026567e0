import Encoding

/// Keys by the identifiers that a role gives them. An identifier is a name and no more: it is not held
/// against the hash of the key (TAP 12), so that two identifiers may name one key.
public struct KeyRing: Hashable, Sendable {
    private let keys: [ExactText: VerificationKey]

    /// No keys.
    init() { keys = [:] }

    init(_ fields: MetadataFields) throws(MetadataFault) {
        guard fields.object.count <= MetadataBounds.keys else { throw .field(fields.path) }
        var keys: [ExactText: VerificationKey] = [:]
        for member in fields.object {
            // A kind of key that comes after this version does not spoil the others.
            guard let key = VerificationKey(member.value) else { continue }
            keys[ExactText(member.key)] = key
        }
        self.keys = keys
    }

    private init(keys: [ExactText: VerificationKey]) { self.keys = keys }

    /// The keys of these names alone.
    func restricted(to identifiers: [ExactText]) -> KeyRing {
        var some: [ExactText: VerificationKey] = [:]
        for identifier in identifiers { some[identifier] = keys[identifier] }
        return KeyRing(keys: some)
    }

    /// The key of that name, if this version can use it.
    public subscript(identifier: ExactText) -> VerificationKey? { keys[identifier] }
}
