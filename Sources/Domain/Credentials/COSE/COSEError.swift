import Encoding

/// Why bytes are no acceptable COSE structure.
public enum COSEError: Error, Hashable, Sendable {
    /// The bytes are not CBOR, or not under the rules asked for.
    case notCBOR(CBORError)
    /// The item has not the shape of a COSE_Sign1 (RFC 9052, 4.2).
    case notSign1
    /// The structure carries a tag that is not allowed here.
    case wrongTag(UInt64)
    /// The same header parameter is protected and unprotected (RFC 9052, 3).
    case duplicateHeader
    /// A critical header parameter is named, and none is understood here (RFC 9052, 3.1).
    case criticalHeader
    /// The payload is detached (RFC 9052, 2).
    case detachedPayload
    /// The item is not a COSE_Key, or lacks a parameter (RFC 9052, 7; RFC 9053, 7).
    case notAKey
    /// Key type, curve or `key_ops` do not go together, or are not known here.
    case unsupportedKey
    /// The point of the key is not on its curve, or has a wrong length.
    case invalidPoint
    /// The signature could not be made.
    case signingFailed

    /// Stable code for logs.
    public var code: String {
        switch self {
        case .notCBOR(let error): error.code
        case .notSign1: "cose-not-sign1"
        case .wrongTag: "cose-wrong-tag"
        case .duplicateHeader: "cose-duplicate-header"
        case .criticalHeader: "cose-critical-header"
        case .detachedPayload: "cose-detached-payload"
        case .notAKey: "cose-not-a-key"
        case .unsupportedKey: "cose-unsupported-key"
        case .invalidPoint: "cose-invalid-point"
        case .signingFailed: "cose-signing-failed"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .notCBOR(let error): error.message
        case .notSign1: "The item is not a COSE_Sign1 structure."
        case .wrongTag(let tag): "The CBOR tag \(tag) is not allowed here."
        case .duplicateHeader: "A header parameter is both protected and unprotected."
        case .criticalHeader: "The structure names a critical header parameter that is not understood."
        case .detachedPayload: "The payload is detached."
        case .notAKey: "The item is not a COSE_Key."
        case .unsupportedKey: "The type, curve or operations of the key are not supported."
        case .invalidPoint: "The public key is not a point of its curve."
        case .signingFailed: "The signature could not be made."
        }
    }
}
