import Encoding

/// How many of the keys that a role needs have signed a file.
public struct SignatureCount: Hashable, Sendable {
    /// Different keys with a good signature. Counting ends when there are enough.
    public let signed: Int
    /// How many there must be.
    public let threshold: Int64

    /// Whether there are enough.
    public var isReached: Bool { Int64(signed) >= threshold }

    /// Counts. A key counts once, even if the role knows it by two names.
    init(_ metadata: SignedMetadata, by role: RoleKeys, of ring: KeyRing) {
        var found: Set<VerificationKey> = []
        for identifier in role.identifiers where Int64(found.count) < role.threshold {
            guard let key = ring[identifier], !found.contains(key), let signature = metadata.signatures[identifier],
                  key.verifies(signature.bytes, over: metadata.signedBytes) else { continue }
            found.insert(key)
        }
        signed = found.count
        threshold = role.threshold
    }
}
