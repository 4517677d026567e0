#if canImport(COpenSSL)
import COpenSSL

/// What this room needs of a library of cryptography, here from libcrypto (OpenSSL 3). Files outside of this folder name no library;
/// another platform has a folder of its own, with these names, chosen when compiling.
///
/// | name | does |
/// |---|---|
/// | `CryptoLibrary` | hashes, HMAC, scrypt, random bytes, comparison |
/// | `DigestState` | a hash in pieces |
/// | `AEADCipher` | AES-CCM and AES-GCM |
/// | `KeyStreamCipher` | ChaCha20 |
/// | `LibraryKey` | keys of P-256, X25519, Ed25519 and RSA: making, reading back, signing, checking, agreeing; of P-384: checking |
/// | `P256Point` | whether a point is one of P-256, and which |
enum CryptoLibrary {
    /// What people know it by.
    static let name = "libcrypto"

    /// The hash of a region of memory.
    static func hash(_ bytes: UnsafeRawBufferPointer, by function: HashFunction) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: function.length) { digest, count in
            let done = EVP_Digest(bytes.baseAddress, bytes.count, digest.baseAddress, nil, function.algorithm, nil)
            // Fails only without memory for its context; nobody could go on from a wrong hash.
            precondition(done == 1, "hashing cannot fail on bytes in memory")
            count = function.length
        }
    }

    /// HMAC-SHA-256 of the parts of a message joined together, 32 bytes.
    static func hmacSHA256(_ parts: [[UInt8]], key: [UInt8]) -> [UInt8] {
        guard let context = EVP_MAC_CTX_dup(Algorithms.shared.hmacTemplate) else {
            preconditionFailure("no memory for HMAC")
        }
        defer { EVP_MAC_CTX_free(context) }
        startHMAC(context, key: key)
        for part in parts where !part.isEmpty {
            checkHMAC(EVP_MAC_update(context, part, part.count))
        }
        return [UInt8](unsafeUninitializedCapacity: SHA256.length) { code, count in
            checkHMAC(EVP_MAC_final(context, code.baseAddress, &count, SHA256.length))
        }
    }

    /// libcrypto reads a nil key as "the key set before", and there is none: an empty key needs an address of its own. RFC 2104
    /// pads the key with zeros, so that one zero byte means the same as no byte.
    private static func startHMAC(_ context: OpaquePointer, key: [UInt8]) {
        if key.isEmpty {
            checkHMAC(EVP_MAC_init(context, [0], 1, nil))
        } else {
            checkHMAC(EVP_MAC_init(context, key, key.count, nil))
        }
    }

    private static func checkHMAC(_ result: Int32) {
        precondition(result == 1, "HMAC cannot fail on bytes in memory")
    }

    /// Fills memory with random bytes fit for keys.
    static func fillAtRandom(_ bytes: UnsafeMutableBufferPointer<UInt8>, count: Int) {
        // Without random numbers no key may be made; the gate stays shut.
        precondition(count == 0 || RAND_bytes_ex(nil, bytes.baseAddress, count, 0) == 1, "the system gives no random numbers")
    }

    /// Whether two byte strings of the same length are equal, in a time that does not tell where they differ.
    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { CRYPTO_memcmp(a, b, a.count) == 0 }

    /// scrypt (RFC 7914); nil without memory for it, or for numbers that it does not take.
    static func scrypt(_ password: [UInt8], salt: [UInt8], cost: UInt64, blockSize: UInt64, parallel: UInt64, length: Int) -> [UInt8]? {
        // What it needs, and some kilobytes that libcrypto counts too.
        let memory = 128 * blockSize * (cost + parallel + 2) + (1 << 16)
        var key = [UInt8](repeating: 0, count: length)
        let done = password.withUnsafeBytes { secret in
            EVP_PBE_scrypt(
                secret.baseAddress?.assumingMemoryBound(to: CChar.self), secret.count, salt, salt.count, cost, blockSize, parallel, memory,
                &key, length)
        }
        return done == 1 ? key : nil
    }
}
#endif
