/// What a private key is for. A key signs or agrees, never both (RFC 9052, 7).
public enum KeyUse: String, Hashable, Sendable, CaseIterable {
    /// Makes signatures.
    case sign
    /// Agrees on a secret (Diffie-Hellman).
    case agree
}
