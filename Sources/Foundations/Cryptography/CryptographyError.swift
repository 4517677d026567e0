/// Why an operation on keys or bytes could not be carried out.
public enum CryptographyError: Error, Hashable, Sendable {
    /// A coordinate, private value, nonce or key has a length its algorithm does not allow.
    case wrongLength
    /// The coordinates name no point of the curve.
    case pointNotOnCurve
    /// A private value is zero or not below the order of the group.
    case privateValueOutOfRange
    /// The curve cannot do what was asked (X25519 does not sign, Ed25519 does not agree).
    case curveDoesNotFit
    /// The two keys of an agreement are on different curves.
    case curvesDiffer
    /// The agreed secret is all zero: the peer's point has small order (RFC 7748, 6.1).
    case zeroSharedSecret
    /// A sealed message does not open: it was changed, or key, nonce or additional data differ.
    case notAuthentic
    /// The library refused an operation that ought to succeed (no memory, no random numbers).
    case libraryFailed(operation: String)

    /// Stable code for logs.
    public var code: String {
        switch self {
        case .wrongLength: "wrong-length"
        case .pointNotOnCurve: "point-not-on-curve"
        case .privateValueOutOfRange: "private-value-out-of-range"
        case .curveDoesNotFit: "curve-does-not-fit"
        case .curvesDiffer: "curves-differ"
        case .zeroSharedSecret: "zero-shared-secret"
        case .notAuthentic: "not-authentic"
        case .libraryFailed: "crypto-library-failed"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .wrongLength: "A key, nonce or coordinate has the wrong length."
        case .pointNotOnCurve: "The public key is not a point of its curve."
        case .privateValueOutOfRange: "The private key is outside the range of its curve."
        case .curveDoesNotFit: "The curve of this key cannot be used for this purpose."
        case .curvesDiffer: "The two keys of the agreement are on different curves."
        case .zeroSharedSecret: "The peer's public key leads to an all-zero secret."
        case .notAuthentic: "The sealed message was changed or was made with another key."
        case .libraryFailed(let operation): "\(CryptoLibrary.name) failed at \(operation)."
        }
    }
}
