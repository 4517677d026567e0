import Encoding

/// Labels of COSE header parameters (RFC 9052, 3.1).
public enum COSEHeader {
    /// Signature algorithm.
    public static let algorithm: CBOR = 1
    /// Header parameters that must be understood.
    public static let critical: CBOR = 2
    /// Type of the payload.
    public static let contentType: CBOR = 3
    /// Key identifier.
    public static let keyIdentifier: CBOR = 4
    /// Type of the whole structure (RFC 9596).
    public static let type: CBOR = 16
}
