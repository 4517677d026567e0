import Encoding

/// The hash function of a certificate's signature.
public enum CertificateHash: Hashable, Sendable, CaseIterable {
    case sha256
    case sha384
    case sha512
}

/// How a certificate is signed.
public enum CertificateAlgorithm: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
    case rsa(CertificateHash)
    /// ECDSA, the signature in DER (RFC 5758, 3.2).
    case ecdsa(CertificateHash)

    /// Reads an AlgorithmIdentifier (RFC 4055, 5; RFC 5758, 3.2) in its one form; nil for anything else, and for what is too weak.
    public init?(algorithmIdentifier bytes: [UInt8]) {
        guard let known = Self.identifiers.first(where: { $0.bytes == bytes }) else { return nil }
        self = known.algorithm
    }

    private static let rsaEncryption: [UInt8] = [0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    private static let ecdsaWithSHA2: [UInt8] = [0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    private static let identifiers: [(bytes: [UInt8], algorithm: CertificateAlgorithm)] = [
        (rsaEncryption + [0x0B, 0x05, 0x00], .rsa(.sha256)),
        (rsaEncryption + [0x0C, 0x05, 0x00], .rsa(.sha384)),
        (rsaEncryption + [0x0D, 0x05, 0x00], .rsa(.sha512)),
        (ecdsaWithSHA2 + [0x02], .ecdsa(.sha256)),
        (ecdsaWithSHA2 + [0x03], .ecdsa(.sha384))
    ]
}

/// A key that signs certificates: RSA of 2048 to 4096 bits, P-256 or P-384. It checks their signatures and nothing else: it is no
/// `PublicKey`, so that no phone, gate or issuer can have one on another curve.
public struct CertificateKey: Sendable {
    private enum Kind {
        case rsa(RSAPublicKey)
        case elliptic(LibraryKey)
    }

    private let kind: Kind

    /// Reads a SubjectPublicKeyInfo (RFC 3279, 2.3.1; RFC 5480, 2) with the point uncompressed; nil for anything else, and for a point
    /// that is not on its curve.
    public init?(subjectPublicKeyInfo bytes: [UInt8]) {
        if let key = PublicKey(p256SubjectPublicKeyInfo: bytes), let library = key.library.key(for: key) {
            kind = .elliptic(library)
        } else if bytes.count == Self.p384Length, bytes.starts(with: Self.p384Head),
                  let library = LibraryKey.p384PublicKey(encoding: Array(bytes[(Self.p384Head.count - 1)...])) {
            kind = .elliptic(library)
        } else if let key = RSAPublicKey(subjectPublicKeyInfo: bytes) {
            kind = .rsa(key)
        } else {
            return nil
        }
    }

    /// Whether the private key of this one made the signature over `message`. False where the algorithm is of another kind of key.
    public func verify(_ signature: [UInt8], over message: [UInt8], by algorithm: CertificateAlgorithm) -> Bool {
        switch (kind, algorithm) {
        case (.rsa(let key), .rsa(let hash)):
            signature.count == key.modulus.count && key.library.verifyOfCertificate(signature, signed: message, hash: hash, isRSA: true)
        case (.elliptic(let key), .ecdsa(let hash)):
            signature.count <= Self.longestSignature && key.verifyOfCertificate(signature, signed: message, hash: hash, isRSA: false)
        case (.rsa, .ecdsa), (.elliptic, .rsa):
            false
        }
    }

    /// What stands before x and y: SEQUENCE { SEQUENCE { id-ecPublicKey, secp384r1 }, BIT STRING { 04 …
    private static let p384Head: [UInt8] = [
        0x30, 0x76, 0x30, 0x10, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22,
        0x03, 0x62, 0x00, 0x04
    ]
    private static let p384Length = p384Head.count + 2 * 48
    /// SEQUENCE of two INTEGERs of at most 49 bytes.
    private static let longestSignature = 104
}
