/// Signature algorithms with their COSE numbers (RFC 9053, 2).
public enum SignatureAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// ECDSA on P-256 with SHA-256.
    case es256 = -7
    /// Pure Ed25519.
    case edDSA = -8

    /// Length in bytes of a signature of either algorithm.
    public static let signatureLength = 64

    /// The curve whose keys make this signature.
    public var curve: Curve {
        switch self {
        case .es256: .p256
        case .edDSA: .ed25519
        }
    }
}
