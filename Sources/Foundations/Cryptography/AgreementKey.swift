/// A private key that agrees on a secret: P-256 or X25519. Its private value lives in the library,
/// which cleanses it when the key goes.
public final class AgreementKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    private let library: LibraryKey

    /// A fresh key. Throws `curveDoesNotFit` for a curve that does not agree.
    public static func generate(_ curve: Curve = .p256) throws(CryptographyError) -> AgreementKey {
        guard curve.fits(.agree) else { throw .curveDoesNotFit }
        return try AgreementKey(LibraryKey.generate(curve: curve, for: .agree), curve)
    }

    /// The key with this private value, 32 bytes.
    public convenience init(rawPrivate: [UInt8], curve: Curve) throws(CryptographyError) {
        guard curve.fits(.agree) else { throw .curveDoesNotFit }
        try self.init(LibraryKey.privateKey(curve: curve, value: rawPrivate, for: .agree), curve)
    }

    private init(_ library: LibraryKey, _ curve: Curve) throws(CryptographyError) {
        self.library = library
        publicKey = try library.publicKey(on: curve)
    }

    /// The shared secret, 32 bytes: the x coordinate for P-256 (SP 800-56A, 5.7.1.2), RFC 7748's
    /// value for X25519. Throws `curvesDiffer`, `pointNotOnCurve`, or `zeroSharedSecret`.
    public func sharedSecret(with peer: PublicKey) throws(CryptographyError) -> [UInt8] {
        guard peer.curve == publicKey.curve else { throw .curvesDiffer }
        guard let peerKey = peer.library.key(for: peer) else { throw .pointNotOnCurve }
        guard let secret = library.sharedSecret(with: peerKey), secret.contains(where: { $0 != 0 }) else {
            // The library itself refuses the all-zero result (RFC 7748, 6.1); P-256 has no such point.
            throw peer.curve == .x25519 ? .zeroSharedSecret : .libraryFailed(operation: "key agreement")
        }
        return secret
    }

    /// Runs `body` with the private value (32 bytes), which is cleansed afterwards.
    func withRawPrivate<Result>(_ body: ([UInt8]) -> Result) throws(CryptographyError) -> Result {
        try library.withPrivateValue(curve: publicKey.curve, body)
    }
}
