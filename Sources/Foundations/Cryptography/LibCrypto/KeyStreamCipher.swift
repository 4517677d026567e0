#if canImport(COpenSSL)
import COpenSSL

/// ChaCha20 (RFC 8439) from the first block on and with a nonce of zeros, for one key after another: to make this object takes longer
/// than a short stream.
final class KeyStreamCipher {
    /// What is encrypted, and the nonce.
    private static let zeros = [UInt8](repeating: 0, count: ChaCha20.portion)

    private let context: OpaquePointer

    init() {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        self.context = context
        Self.check(EVP_EncryptInit_ex2(context, Algorithms.shared.chaCha20, nil, nil, nil))
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Puts the first bytes of a key's stream in the place of those in `stream`, at most 4,096.
    /// - Parameter key: 32 bytes.
    func fill(_ stream: inout [UInt8], key: [UInt8]) {
        let count = stream.count
        precondition(key.count == ChaCha20.keyLength && count <= ChaCha20.portion, "the callers' keys and lengths are constants")
        var written: Int32 = 0
        // libcrypto's nonce is the block counter, little-endian in 4 bytes, and the 12 bytes of the RFC.
        Self.check(EVP_EncryptInit_ex2(context, nil, key, Self.zeros, nil))
        Self.check(EVP_EncryptUpdate(context, &stream, &written, Self.zeros, Int32(count)))
        precondition(Int(written) == count, "a stream cipher cannot fail on bytes in memory")
    }

    private static func check(_ result: Int32) { precondition(result == 1, "a stream cipher cannot fail on bytes in memory") }
}
#endif
