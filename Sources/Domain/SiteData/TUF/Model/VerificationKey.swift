import Cryptography
import Encoding

/// A public key with the one way in which it signs metadata. Two are equal when they are the same key,
/// whatever they are called.
public enum VerificationKey: Hashable, Sendable {
    /// `ed25519` with `ed25519`.
    case ed25519(PublicKey)
    /// `ecdsa` with `ecdsa-sha2-nistp256`.
    case ecdsaP256(PublicKey)
    /// `rsa` with `rsassa-pss-sha256`.
    case rsaPSS(RSAPublicKey)

    /// Nil for a kind of key that is not known, and for a value that is no such key.
    init?(_ json: JSON) {
        guard let type = json["keytype"]?.string, let scheme = json["scheme"]?.string,
              let value = json["keyval"]?["public"]?.string else { return nil }
        switch (type, scheme) {
        case ("ed25519", "ed25519"): self.init(ed25519: value)
        // The second name of the type is that of older repositories.
        case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"): self.init(ecdsa: value)
        case ("rsa", "rsassa-pss-sha256"): self.init(rsa: value)
        default: return nil
        }
    }

    private init?(ed25519 text: String) {
        guard let bytes = try? Hex.decode(text), let key = try? PublicKey(curve: .ed25519, x: bytes, y: nil) else { return nil }
        self = .ed25519(key)
    }

    private init?(ecdsa text: String) {
        guard let bytes = PEM.publicKey(text), let key = PublicKey(p256SubjectPublicKeyInfo: bytes) else { return nil }
        self = .ecdsaP256(key)
    }

    private init?(rsa text: String) {
        guard let bytes = PEM.publicKey(text), let key = RSAPublicKey(subjectPublicKeyInfo: bytes) else { return nil }
        self = .rsaPSS(key)
    }

    /// Whether this key made the signature over these bytes.
    func verifies(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        switch self {
        case .ed25519(let key): key.verify(signature, over: bytes)
        case .ecdsaP256(let key): key.verify(derSignature: signature, over: bytes)
        case .rsaPSS(let key): key.verify(signature, over: bytes)
        }
    }
}
