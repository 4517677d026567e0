/// A private key that signs: P-256 (ES256) or Ed25519. Its private value lives in the library, which
/// cleanses it when the key goes.
public final class SigningKey: Sendable {
    /// The public half.
    public let publicKey: PublicKey
    private let library: LibraryKey

    /// A fresh key. Throws `curveDoesNotFit` for a curve that does not sign.
    public static func generate(_ curve: Curve = .p256) throws(CryptographyError) -> SigningKey {
        guard curve.fits(.sign) else { throw .curveDoesNotFit }
        return try SigningKey(LibraryKey.generate(curve: curve, for: .sign), curve)
    }

    /// The key with this private value (32 bytes; for Ed25519 the seed).
    public convenience init(rawPrivate: [UInt8], curve: Curve) throws(CryptographyError) {
        guard curve.fits(.sign) else { throw .curveDoesNotFit }
        try self.init(LibraryKey.privateKey(curve: curve, value: rawPrivate, for: .sign), curve)
    }

    private init(_ library: LibraryKey, _ curve: Curve) throws(CryptographyError) {
        self.library = library
        publicKey = try library.publicKey(on: curve)
    }

    /// The algorithm of its signatures.
    public var algorithm: SignatureAlgorithm { publicKey.curve == .p256 ? .es256 : .edDSA }

    /// The signature over `message`: always 64 bytes, r || s for ES256.
    public func sign(_ message: [UInt8]) throws(CryptographyError) -> [UInt8] {
        let signature = switch algorithm {
        case .es256: library.signES256(digest: SHA256.hash(message))
        case .edDSA: library.signEdDSA(message)
        }
        guard let signature else { throw .libraryFailed(operation: "signing") }
        return signature
    }

    /// Runs `body` with the private value (32 bytes), which is cleansed afterwards.
    func withRawPrivate<Result>(_ body: ([UInt8]) -> Result) throws(CryptographyError) -> Result {
        try library.withPrivateValue(curve: publicKey.curve, body)
    }
}
