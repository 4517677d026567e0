import Cryptography

/// Predefined cipher suites (RFC 9528, 3.6 and 10.2). The raw value is the registered number.
/// Suites 0 and 1 (EdDSA) serve the RFC's traces; gates offer those that sign with ES256.
public enum CipherSuite: Int, Sendable, Hashable, CaseIterable {
    case suite0 = 0, suite1 = 1, suite2 = 2, suite3 = 3, suite5 = 5, suite6 = 6

    /// What gates serve: AES-CCM on P-256 with short and long tags (2, 3), ChaCha20-Poly1305 on P-256 (5), AES-GCM on X25519 (6).
    public static let ofGates: [CipherSuite] = [.suite2, .suite3, .suite5, .suite6]

    /// Length of every hash, PRK and transcript hash: all these suites use SHA-256.
    public static let hashLength = 32

    /// Length of a signature field: ES256 and EdDSA over these curves both have 64 bytes.
    public static let signatureLength = 64

    /// Length of G_X and G_Y: the x-coordinate alone (RFC 9528, 3.7).
    public static let pointLength = 32

    /// Protects message_3.
    public var aead: AEADAlgorithm {
        switch self {
        case .suite0, .suite2: .aesCCM16_64_128
        case .suite1, .suite3: .aesCCM16_128_128
        case .suite5: .chaCha20Poly1305
        case .suite6: .a128GCM
        }
    }

    /// Protects application data after the exchange (OUTCOME).
    public var applicationAEAD: AEADAlgorithm {
        switch self {
        case .suite0, .suite1, .suite2, .suite3: .aesCCM16_64_128
        case .suite5: .chaCha20Poly1305
        case .suite6: .a128GCM
        }
    }

    /// EDHOC MAC length: the length of a MAC that stands in place of a signature.
    public var macLength: Int {
        switch self {
        case .suite0, .suite2: 8
        case .suite1, .suite3, .suite5, .suite6: 16
        }
    }

    /// Every such length, the shortest first.
    static let macLengths = Set(allCases.map(\.macLength)).sorted()

    /// Curve of the ephemeral keys and of static Diffie-Hellman keys.
    public var agreementCurve: Curve {
        switch self {
        case .suite0, .suite1, .suite6: .x25519
        case .suite2, .suite3, .suite5: .p256
        }
    }

    /// Curve of signature keys.
    public var signatureCurve: Curve {
        switch self {
        case .suite0, .suite1: .ed25519
        case .suite2, .suite3, .suite5, .suite6: .p256
        }
    }

    /// mac_length_2 or mac_length_3 (RFC 9528, 5.3.2 and 5.4.2): a MAC under a signature has the
    /// length of a hash.
    func macLength(underSignature: Bool) -> Int {
        underSignature ? Self.hashLength : macLength
    }

    /// Length of the field Signature_or_MAC.
    func proofLength(isSignature: Bool) -> Int {
        isSignature ? Self.signatureLength : macLength
    }
}
