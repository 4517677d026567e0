#if canImport(COpenSSL)
import COpenSSL

/// How keys come to be.
extension LibraryKey {
    /// A public key from its coordinates. For P-256 without y the even one is taken: both give the
    /// same x of a shared secret (RFC 9528, 3.7). Nil when the point is not on the curve.
    static func publicKey(curve: Curve, x: [UInt8], y: [UInt8]?) -> LibraryKey? {
        let made: LibraryKey? = switch (curve, y) {
        case (.p256, let y?): LibraryKey(verifying: P256Point.uncompressed(x: x, y: y))
        // A P-256 point of which only x is known verifies nothing, so nothing is prepared.
        case (.p256, nil): p256(encoding: [0x02] + x).flatMap { try? LibraryKey($0, for: .none) }
        case (.x25519, _), (.ed25519, _):
            EVP_PKEY_new_raw_public_key_ex(nil, curve.libraryName, nil, x, x.count).flatMap { try? LibraryKey($0, for: .none) }
        }
        if made == nil { ERR_clear_error() }
        return made
    }

    /// A public key of RSA from modulus and exponent, both big-endian; nil where libcrypto takes them for none.
    static func rsaPublicKey(modulus: [UInt8], exponent: [UInt8]) -> LibraryKey? {
        guard let key = tapstile_rsa_public_key(modulus, modulus.count, exponent, exponent.count) else {
            ERR_clear_error()
            return nil
        }
        return try? LibraryKey(key, for: .none)
    }

    /// A public key of P-384 from 04 || x || y, for the signatures of certificates alone; nil when the point is not on the curve.
    static func p384PublicKey(encoding: [UInt8]) -> LibraryKey? {
        guard let key = Algorithms.keyWithoutPoint(onCurve: "P-384") else { return nil }
        guard EVP_PKEY_set1_encoded_public_key(key, encoding, encoding.count) == 1 else {
            EVP_PKEY_free(key)
            ERR_clear_error()
            return nil
        }
        return try? LibraryKey(key, for: .none)
    }

    private static func p256(encoding: [UInt8]) -> OpaquePointer? {
        guard let key = EVP_PKEY_dup(Algorithms.shared.p256Template) else { return nil }
        guard EVP_PKEY_set1_encoded_public_key(key, encoding, encoding.count) == 1 else {
            EVP_PKEY_free(key)
            return nil
        }
        return key
    }

    /// A fresh key pair for that use.
    static func generate(curve: Curve, for use: KeyUse) throws(CryptographyError) -> LibraryKey {
        let context: OpaquePointer? = switch curve {
        case .p256: EVP_PKEY_CTX_new(Algorithms.shared.p256Template, nil)
        case .x25519, .ed25519: EVP_PKEY_CTX_new_from_name(nil, curve.libraryName, nil)
        }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard let context, EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_generate(context, &key) == 1,
              let key else { throw .libraryFailed(operation: "key generation") }
        return try LibraryKey(key, for: Operation(use, on: curve))
    }

    /// A key pair from its private value, 32 bytes, for that use.
    static func privateKey(curve: Curve, value: [UInt8], for use: KeyUse) throws(CryptographyError) -> LibraryKey {
        guard value.count == Curve.coordinateLength else { throw .wrongLength }
        return try LibraryKey(rawPrivateKey(curve: curve, value: value), for: Operation(use, on: curve))
    }

    private static func rawPrivateKey(curve: Curve, value: [UInt8]) throws(CryptographyError) -> OpaquePointer {
        switch curve {
        case .p256:
            return try p256PrivateKey(value)
        case .x25519, .ed25519:
            guard let key = EVP_PKEY_new_raw_private_key_ex(nil, curve.libraryName, nil, value, value.count) else {
                throw .libraryFailed(operation: "private key")
            }
            return key
        }
    }

    private static func p256PrivateKey(_ value: [UInt8]) throws(CryptographyError) -> OpaquePointer {
        guard let number = BN_bin2bn(value, Int32(value.count), nil) else {
            throw .libraryFailed(operation: "private key")
        }
        defer { BN_clear_free(number) }
        BN_set_flags(number, BN_FLG_CONSTTIME)
        guard let point = P256Point.publicEncoding(privateValue: number) else { throw .privateValueOutOfRange }
        guard let key = assemble(point: point, privateValue: number) else {
            throw .libraryFailed(operation: "private key")
        }
        return key
    }

    private static func assemble(point: [UInt8], privateValue: OpaquePointer) -> OpaquePointer? {
        guard let parameters = tapstile_p256_parameters(point, point.count, privateValue) else { return nil }
        defer { OSSL_PARAM_free(parameters) }
        let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard tapstile_key_pair_from_parameters(context, &key, parameters) == 1 else { return nil }
        return key
    }
}

extension Curve {
    /// What libcrypto calls this kind of key.
    var libraryName: String {
        switch self {
        case .p256: "EC"
        case .x25519: "X25519"
        case .ed25519: "ED25519"
        }
    }
}

extension CertificateHash {
    /// What libcrypto calls this hash function.
    var libraryName: String {
        switch self {
        case .sha256: "SHA256"
        case .sha384: "SHA384"
        case .sha512: "SHA512"
        }
    }
}
#endif
