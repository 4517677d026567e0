import COpenSSL

/// A private key that agrees on a secret: P-256 or X25519. Its private value lives in libcrypto,
/// which cleanses it when the key goes.
public final class AgreementKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    private let library: LibraryKey

    /// A fresh key. Throws `curveDoesNotFit` for a curve that does not agree.
    public static func generate(_ curve: Curve = .p256) throws(CryptographyError) -> AgreementKey {
        guard curve.fits(.agree) else { throw .curveDoesNotFit }
        return try AgreementKey(taking: LibraryKey.generate(curve: curve), curve: curve)
    }

    /// The key with this private value, 32 bytes.
    public convenience init(rawPrivate: [UInt8], curve: Curve) throws(CryptographyError) {
        guard curve.fits(.agree) else { throw .curveDoesNotFit }
        try self.init(taking: LibraryKey.privateKey(curve: curve, value: rawPrivate), curve: curve)
    }

    private init(taking raw: OpaquePointer, curve: Curve) throws(CryptographyError) {
        library = try LibraryKey(raw, for: .derive)
        publicKey = try LibraryKey.readPublicKey(raw, curve: curve)
    }

    /// The shared secret, 32 bytes: the x coordinate for P-256 (SP 800-56A, 5.7.1.2), RFC 7748's
    /// value for X25519. Throws `curvesDiffer`, `pointNotOnCurve`, or `zeroSharedSecret`.
    public func sharedSecret(with peer: PublicKey) throws(CryptographyError) -> [UInt8] {
        guard peer.curve == publicKey.curve else { throw .curvesDiffer }
        guard let peerKey = peer.library.key(for: peer) else { throw .pointNotOnCurve }
        guard let secret = derive(with: peerKey), secret.contains(where: { $0 != 0 }) else {
            // libcrypto itself refuses the all-zero result (RFC 7748, 6.1); P-256 has no such point.
            throw peer.curve == .x25519 ? .zeroSharedSecret : .libraryFailed(operation: "key agreement")
        }
        return secret
    }

    /// Runs `body` with the private value (32 bytes), which is cleansed afterwards.
    func withRawPrivate<Result>(_ body: ([UInt8]) -> Result) throws(CryptographyError) -> Result {
        try library.withPrivateValue(curve: publicKey.curve, body)
    }

    /// The peer's point was checked when its key was made; checking its order again would double
    /// the time and cannot fail on a curve of cofactor 1.
    private func derive(with peer: LibraryKey) -> [UInt8]? {
        library.withContext { context in
            var secret = [UInt8](repeating: 0, count: Curve.coordinateLength)
            var length = secret.count
            guard EVP_PKEY_derive_set_peer_ex(context, peer.raw, 0) == 1,
                  EVP_PKEY_derive(context, &secret, &length) == 1, length == secret.count else { return nil }
            return secret
        }
    }
}
