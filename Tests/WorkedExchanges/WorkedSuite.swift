import Cryptography

/// A cipher suite of RFC 9528, 3.6, as far as a worked exchange in method 0 needs it: written down apart from the rooms that run
/// the protocol.
struct WorkedSuite: Hashable, Sendable {
    let number: Int
    /// Of the ephemeral keys.
    let curve: Curve
    /// Protects message_3.
    let aead: AEADAlgorithm
    /// Protects OUTCOME.
    let application: AEADAlgorithm

    /// Those beside 2, in which the two exchanges of the recording are.
    static let others = [3, 5, 6]

    private static let all = [
        WorkedSuite(number: 2, curve: .p256, aead: .aesCCM16_64_128, application: .aesCCM16_64_128),
        WorkedSuite(number: 3, curve: .p256, aead: .aesCCM16_128_128, application: .aesCCM16_64_128),
        WorkedSuite(number: 5, curve: .p256, aead: .chaCha20Poly1305, application: .chaCha20Poly1305),
        WorkedSuite(number: 6, curve: .x25519, aead: .a128GCM, application: .a128GCM)
    ]

    static func named(_ number: Int) throws -> WorkedSuite {
        guard let suite = all.first(where: { $0.number == number }) else { throw Recording.Incomplete() }
        return suite
    }

    /// How a point and the secret follow from private values.
    func point(_ value: String) -> String { curve == .x25519 ? "X25519(\(value), 9)" : "x-coordinate of \(value)·G" }

    var secret: String { curve == .x25519 ? "X25519(X, G_Y)" : "x-coordinate of X·Y·G" }

    static func name(_ algorithm: AEADAlgorithm) -> String {
        switch algorithm {
        case .a128GCM: "AES-128-GCM"
        case .aesCCM16_64_128: "AES-CCM-16-64-128"
        case .aesCCM16_128_128: "AES-CCM-16-128-128"
        case .chaCha20Poly1305: "ChaCha20-Poly1305"
        }
    }
}
