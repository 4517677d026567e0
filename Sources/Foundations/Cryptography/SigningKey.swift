import COpenSSL

/// A private key that signs: P-256 (ES256) or Ed25519. Its private value lives in libcrypto, which
/// cleanses it when the key goes.
public final class SigningKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    private let library: LibraryKey

    /// A fresh key. Throws `curveDoesNotFit` for a curve that does not sign.
    public static func generate(_ curve: Curve = .p256) throws(CryptographyError) -> SigningKey {
        guard curve.fits(.sign) else { throw .curveDoesNotFit }
        return try SigningKey(taking: LibraryKey.generate(curve: curve), curve: curve)
    }

    /// The key with this private value (32 bytes; for Ed25519 the seed).
    public convenience init(rawPrivate: [UInt8], curve: Curve) throws(CryptographyError) {
        guard curve.fits(.sign) else { throw .curveDoesNotFit }
        try self.init(taking: LibraryKey.privateKey(curve: curve, value: rawPrivate), curve: curve)
    }

    private init(taking raw: OpaquePointer, curve: Curve) throws(CryptographyError) {
        library = try LibraryKey(raw, for: curve == .p256 ? .sign : .none)
        publicKey = try LibraryKey.readPublicKey(raw, curve: curve)
    }

    /// The algorithm of its signatures.
    public var algorithm: SignatureAlgorithm { publicKey.curve == .p256 ? .es256 : .edDSA }

    /// The signature over `message`: always 64 bytes, r || s for ES256.
    public func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let signature = switch algorithm {
        case .es256: signES256(digest: SHA256.hash(message))
        case .edDSA: signEdDSA(message)
        }
        guard let signature else { throw .libraryFailed(operation: "signing") }
        return signature
    }

    /// Runs `body` with the private value (32 bytes), which is cleansed afterwards.
    func withRawPrivate<Result>(_ body: ([UInt8]) -> Result) throws(CryptographyError) -> Result {
        try library.withPrivateValue(curve: publicKey.curve, body)
    }

    private func signES256(digest: [UInt8]) -> [UInt8]? {
        library.withContext { context in
            var der = [UInt8](repeating: 0, count: ECDSASignature.longestDER)
            var length = der.count
            guard EVP_PKEY_sign(context, &der, &length, digest, digest.count) == 1 else { return nil }
            der.removeLast(der.count - length)
            return ECDSASignature.raw(der: der)
        }
    }

    private func signEdDSA(_ message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: SignatureAlgorithm.signatureLength)
        var length = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, library.raw) == 1,
              EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
              length == signature.count else { return nil }
        return signature
    }
}
