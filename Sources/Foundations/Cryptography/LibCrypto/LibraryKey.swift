#if canImport(COpenSSL)
import COpenSSL
import Synchronization

/// One EVP_PKEY of libcrypto and the context prepared from it. libcrypto cleanses private values
/// when the last reference goes.
///
/// `@unchecked Sendable`: the key does not change after `init`. libcrypto allows several threads to use one key at the same time
/// (it only counts references). The context is lent to one of them at a time (`lent`); whoever comes meanwhile works on a copy.
final class LibraryKey: @unchecked Sendable {
    private let raw: OpaquePointer
    private let template: OpaquePointer?
    private let lent = Atomic(false)
    /// Whether it goes to `SpareVerifiers` at its end: it is public, and of P-256.
    private let isSpare: Bool

    /// Takes over `raw`, and prepares the operation it is for. Ed25519 needs no preparation.
    init(_ raw: OpaquePointer, for operation: Operation) throws(CryptographyError) {
        self.raw = raw
        template = Self.makeTemplate(raw, operation)
        isSpare = false
        guard template != nil || operation == .none else {
            throw .libraryFailed(operation: "preparing a key")
        }
    }

    /// A public key of P-256 that verifies. Nil when the point is not on the curve.
    init?(verifying encoding: [UInt8]) {
        guard let verifier = SpareVerifiers.shared.next() else { return nil }
        raw = verifier.key
        template = verifier.context
        isSpare = EVP_PKEY_set1_encoded_public_key(raw, encoding, encoding.count) == 1
        if !isSpare { return nil }
    }

    deinit {
        if isSpare, let template { return SpareVerifiers.shared.giveBack(SpareVerifiers.Verifier(key: raw, context: template)) }
        EVP_PKEY_CTX_free(template)
        EVP_PKEY_free(raw)
    }

    /// What contexts of this key are prepared for.
    enum Operation {
        case none, sign, verify, derive

        /// What a key pair of that curve is for.
        init(_ use: KeyUse, on curve: Curve) {
            switch use {
            case .sign: self = curve == .p256 ? .sign : .none
            case .agree: self = .derive
            }
        }
    }

    /// Runs `body` with a context that is ready for the prepared operation, and nobody else's meanwhile.
    private func withContext<Result>(_ body: (OpaquePointer) -> Result?) -> Result? {
        guard let template else { return nil }
        let isMine = !lent.exchange(true, ordering: .acquiring)
        guard let context = isMine ? template : EVP_PKEY_CTX_dup(template) else { return nil }
        defer { if isMine { lent.store(false, ordering: .releasing) } else { EVP_PKEY_CTX_free(context) } }
        let result = body(context)
        if result == nil { ERR_clear_error() }
        return result
    }

    private static func makeTemplate(_ raw: OpaquePointer, _ operation: Operation) -> OpaquePointer? {
        guard operation != .none, let context = EVP_PKEY_CTX_new(raw, nil) else { return nil }
        guard start(context, operation) == 1 else {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
            return nil
        }
        return context
    }

    private static func start(_ context: OpaquePointer, _ operation: Operation) -> Int32 {
        switch operation {
        case .none: 1
        case .sign: EVP_PKEY_sign_init(context)
        case .verify: EVP_PKEY_verify_init(context)
        case .derive: EVP_PKEY_derive_init(context)
        }
    }
}

/// What keys do.
extension LibraryKey {
    /// The ES256 signature over a digest, as 64 bytes; nil if libcrypto refuses.
    func signES256(digest: [UInt8]) -> [UInt8]? {
        withContext { context in
            var der = [UInt8](repeating: 0, count: ECDSASignature.longestDER)
            var length = der.count
            guard EVP_PKEY_sign(context, &der, &length, digest, digest.count) == 1 else { return nil }
            der.removeLast(der.count - length)
            return ECDSASignature.raw(der: der)
        }
    }

    /// Whether a signature in DER is that of this key over a digest. A point of which only x is known has no context for this, and
    /// verifies nothing.
    func verifyES256(der: [UInt8], digest: [UInt8]) -> Bool {
        withContext { context in
            EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1 ? true : nil
        } ?? false
    }

    /// The Ed25519 signature, 64 bytes; nil if libcrypto refuses.
    func signEdDSA(_ message: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: SignatureAlgorithm.signatureLength)
        var length = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, raw) == 1,
              EVP_DigestSign(context, &signature, &length, message, message.count) == 1,
              length == signature.count else { return nil }
        return signature
    }

    /// Whether an Ed25519 signature is that of this key.
    func verifyEdDSA(_ signature: [UInt8], message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, raw) == 1,
              EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }

    /// Whether a signature by RSASSA-PSS with SHA-256, MGF1 with SHA-256 and a salt of any length is that of this key.
    func verifyPSS(_ signature: [UInt8], message: [UInt8]) -> Bool {
        let isGood = tapstile_rsa_pss_verify(raw, signature, signature.count, message, message.count) == 1
        if !isGood { ERR_clear_error() }
        return isGood
    }

    /// Whether a signature as certificates have it is that of this key: of RSA by RSASSA-PKCS1-v1_5, of an elliptic curve in DER, of
    /// which libcrypto takes only the one form.
    func verifyOfCertificate(_ signature: [UInt8], signed: [UInt8], hash: CertificateHash, isRSA: Bool) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        guard EVP_DigestVerifyInit_ex(context, &parameters, hash.libraryName, nil, nil, raw, nil) == 1,
              !isRSA || EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1,
              EVP_DigestVerify(context, signature, signature.count, signed, signed.count) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }

    /// The secret shared with a peer, 32 bytes; nil where there is none. The peer's point was checked when its key was made; checking
    /// its order again would double the time and cannot fail on a curve of cofactor 1.
    func sharedSecret(with peer: LibraryKey) -> [UInt8]? {
        withContext { context in
            var secret = [UInt8](repeating: 0, count: Curve.coordinateLength)
            var length = secret.count
            guard EVP_PKEY_derive_set_peer_ex(context, peer.raw, 0) == 1,
                  EVP_PKEY_derive(context, &secret, &length) == 1, length == secret.count else { return nil }
            return secret
        }
    }
}

/// What can be read back from an EVP_PKEY.
extension LibraryKey {
    /// The public key of a key pair.
    func publicKey(on curve: Curve) throws(CryptographyError) -> PublicKey {
        var encoding = [UInt8](repeating: 0, count: 1 + 2 * Curve.coordinateLength)
        var length = 0
        guard EVP_PKEY_get_octet_string_param(raw, OSSL_PKEY_PARAM_PUB_KEY, &encoding, encoding.count, &length) == 1 else {
            throw .libraryFailed(operation: "reading a public key")
        }
        switch curve {
        case .p256:
            guard length == encoding.count, encoding[0] == 0x04 else {
                throw .libraryFailed(operation: "reading a public key")
            }
            return PublicKey(unchecked: curve, x: Array(encoding[1...32]), y: Array(encoding[33...64]))
        case .x25519, .ed25519:
            return PublicKey(unchecked: curve, x: Array(encoding[..<length]), y: nil)
        }
    }

    /// Runs `body` with the private value (32 bytes), which is cleansed afterwards.
    func withPrivateValue<Result>(curve: Curve, _ body: ([UInt8]) -> Result) throws(CryptographyError) -> Result {
        var value = try readPrivateValue(curve: curve)
        defer { OPENSSL_cleanse(&value, value.count) }
        return body(value)
    }

    /// The private value, 32 bytes. The caller cleanses what it is given.
    private func readPrivateValue(curve: Curve) throws(CryptographyError) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: Curve.coordinateLength)
        var length = value.count
        let isRead: Bool
        switch curve {
        case .p256:
            var number: OpaquePointer?
            isRead = EVP_PKEY_get_bn_param(raw, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1
                && BN_bn2binpad(number, &value, Int32(length)) == Int32(length)
            BN_clear_free(number)
        case .x25519, .ed25519:
            isRead = EVP_PKEY_get_raw_private_key(raw, &value, &length) == 1
        }
        guard isRead else { throw .libraryFailed(operation: "reading a private key") }
        return value
    }
}
#endif
