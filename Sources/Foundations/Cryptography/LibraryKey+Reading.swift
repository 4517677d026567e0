import COpenSSL

/// What can be read back from an EVP_PKEY.
extension LibraryKey {
    /// The public key of a key pair.
    static func readPublicKey(_ key: OpaquePointer, curve: Curve) throws(CryptographyError) -> PublicKey {
        var encoding = [UInt8](repeating: 0, count: 1 + 2 * Curve.coordinateLength)
        var length = 0
        guard EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, &encoding, encoding.count, &length) == 1 else {
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
