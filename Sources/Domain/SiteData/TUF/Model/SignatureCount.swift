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

extension SignatureCount {
    /// Counts those of a role's file as who delegates to it demands: a root for the four roles, the metadata of a role
    /// that describes targets for all others.
    /// - Returns: nil if it does not delegate to the role.
    public init?(of file: SignedMetadata, for role: RoleName, by delegator: SignedMetadata) throws(MetadataFault) {
        if role.isTopLevel {
            self = try RootMetadata(delegator).signers(of: role).count(file)
        } else {
            let targets = try TargetsMetadata(delegator)
            guard let keys = targets.keys(of: role) else { return nil }
            self = Signers(keys, of: targets.keys).count(file)
        }
    }
}
