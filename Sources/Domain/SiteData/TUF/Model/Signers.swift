import Encoding

/// Who must have signed a role's file, as the role says that delegates to it. Two that are equal take the same files.
struct Signers: Hashable, Sendable {
    private let role: RoleKeys
    private let ring: KeyRing

    init(_ role: RoleKeys, of ring: KeyRing) {
        self.role = role
        self.ring = ring.restricted(to: role.identifiers)
    }

    /// The keys themselves.
    var keys: Set<VerificationKey> { Set(role.identifiers.compactMap { ring[$0] }) }

    func count(_ file: SignedMetadata) -> SignatureCount { SignatureCount(file, by: role, of: ring) }
}

extension RootMetadata {
    /// Who must have signed one of the four roles.
    func signers(of role: RoleName) -> Signers {
        guard let keys = keys(of: role) else { preconditionFailure("a root names the keys of all four roles") }
        return Signers(keys, of: self.keys)
    }

    /// Whether a key that could sign for a role here no longer can in a later root. New keys beside it and other
    /// thresholds take nothing away from who could sign before.
    func hasKeys(of role: RoleName, replacedIn next: RootMetadata) -> Bool {
        !signers(of: role).keys.isSubset(of: next.signers(of: role).keys)
    }
}
