import COpenSSL

extension PublicKey {
    /// Whether `signature` was made over `message` by the private key of this point: ES256 with
    /// r || s for P-256, EdDSA for Ed25519, exactly 64 bytes. False for a key that cannot sign.
    public func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard signature.count == SignatureAlgorithm.signatureLength else { return false }
        switch curve {
        case .p256: return verifyES256(signature, digest: SHA256.hash(message))
        case .ed25519: return verifyEdDSA(signature, message: message)
        case .x25519: return false
        }
    }

    /// As `verify`, for ES256 over a message whose SHA-256 hash is known already. False for any
    /// other curve, and for a digest that has not 32 bytes.
    public func verify(_ signature: [UInt8], overDigest digest: [UInt8]) -> Bool {
        guard curve == .p256, signature.count == SignatureAlgorithm.signatureLength,
              digest.count == SHA256.length else { return false }
        return verifyES256(signature, digest: digest)
    }

    /// As `verify(_:over:)` for ES256 with the signature as others write it: the DER structure (RFC 3279,
    /// 2.2.3), of which libcrypto takes only the one form. False for any other curve.
    public func verify(derSignature: [UInt8], over message: [UInt8]) -> Bool {
        guard curve == .p256, derSignature.count <= ECDSASignature.longestDER else { return false }
        return verifyES256(der: derSignature, digest: SHA256.hash(message))
    }

    private func verifyES256(_ signature: [UInt8], digest: [UInt8]) -> Bool {
        verifyES256(der: ECDSASignature.der(raw: signature), digest: digest)
    }

    private func verifyES256(der: [UInt8], digest: [UInt8]) -> Bool {
        // A point of which only x is known has no context for this, and verifies nothing.
        guard let key = library.key(for: self) else { return false }
        return key.withContext { context in
            EVP_PKEY_verify(context, der, der.count, digest, digest.count) == 1 ? true : nil
        } ?? false
    }

    private func verifyEdDSA(_ signature: [UInt8], message: [UInt8]) -> Bool {
        guard let key = library.key(for: self), let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, key.raw) == 1,
              EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1 else {
            ERR_clear_error()
            return false
        }
        return true
    }
}
