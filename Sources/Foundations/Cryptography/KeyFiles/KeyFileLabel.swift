import Encoding

/// Labels of the COSE_Key in a key file (RFC 9052, 7.1; RFC 9053, 7).
enum KeyFileLabel {
    static let type: CBOR = 1
    static let operations: CBOR = 4
    static let curve: CBOR = -1
    static let x: CBOR = -2
    static let y: CBOR = -3
    static let privateValue: CBOR = -4
    /// The role: private use (RFC 9052, 11.2).
    static let role: CBOR = -65537
}
