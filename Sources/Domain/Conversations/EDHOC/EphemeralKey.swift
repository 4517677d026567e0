import Cryptography

/// A fresh Diffie-Hellman key for one exchange. It is made before the phone arrives and cannot be
/// copied: the exchange that takes it is the only one that can ever use it (RFC 9528, 9.7).
public struct EphemeralKey: ~Copyable, Sendable {
    let key: AgreementKey

    /// Makes one on the curve of a cipher suite.
    public static func generate(for suite: CipherSuite) throws(CryptographyError) -> EphemeralKey {
        EphemeralKey(known: try AgreementKey.generate(suite.agreementCurve))
    }

    /// A key whose private part is known already: published traces only.
    package init(known key: AgreementKey) {
        self.key = key
        point = key.publicKey.x
        curve = key.publicKey.curve
    }

    /// G_X or G_Y: the x-coordinate. Stored: Swift 6.0 cannot compile a getter that reaches through the only
    /// field of a type that cannot be copied.
    let point: [UInt8]

    let curve: Curve
}
