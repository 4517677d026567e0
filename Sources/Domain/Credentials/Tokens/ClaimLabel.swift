import Encoding

/// Labels of CWT claims (RFC 8392, 3.1; RFC 8747, 3.1; RFC 8693 `scope`).
enum ClaimLabel {
    static let issuer: CBOR = 1
    static let subject: CBOR = 2
    static let audience: CBOR = 3
    static let expiresAt: CBOR = 4
    static let notBefore: CBOR = 5
    static let issuedAt: CBOR = 6
    static let identifier: CBOR = 7
    static let confirmation: CBOR = 8
    static let scope: CBOR = 9
    /// User verification: the key was attested as released only after it. Private use (RFC 8392, 9.1).
    static let userVerification: CBOR = -65537

    /// The confirmation method `COSE_Key` (RFC 8747, 3.1).
    static let confirmationKey: CBOR = 1
}
