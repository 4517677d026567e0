/// The curves this product uses, with their COSE numbers (RFC 9053, table 18).
public enum Curve: Int, Hashable, Sendable, CaseIterable {
    /// NIST P-256: signs (ES256) or agrees (ECDH).
    case p256 = 1
    /// X25519: agrees only.
    case x25519 = 4
    /// Ed25519: signs only.
    case ed25519 = 6

    /// Length in bytes of a coordinate and of a private value.
    public static let coordinateLength = 32

    /// Whether keys of this curve may be used that way. P-256 fits both, but one key only ever
    /// does one of them (RFC 9052, 7; RFC 9528, 3.3).
    public func fits(_ use: KeyUse) -> Bool {
        switch (self, use) {
        case (.p256, .sign), (.p256, .agree), (.ed25519, .sign), (.x25519, .agree): true
        case (.ed25519, .agree), (.x25519, .sign): false
        }
    }

    /// The signature algorithm of this curve; nil for a curve that only agrees.
    public var signatureAlgorithm: SignatureAlgorithm? {
        switch self {
        case .p256: .es256
        case .ed25519: .edDSA
        case .x25519: nil
        }
    }
}

/// What a private key is for. A key signs or agrees, never both (RFC 9052, 7).
public enum KeyUse: String, Hashable, Sendable, CaseIterable {
    /// Makes signatures.
    case sign
    /// Agrees on a secret (Diffie-Hellman).
    case agree
}

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
