import COpenSSL

/// The key stream of ChaCha20 (RFC 8439, 2.4), from the first block on and with a nonce of zeros: for whoever uses each key once, to
/// make many bytes of few.
public enum ChaCha20 {
    /// The bytes of a key.
    public static let keyLength = 32

    /// So many bytes are made at once.
    static let portion = 4096
    /// libcrypto's nonce: the counter of blocks, and that of the RFC.
    static let nonceLength = 16
    private static let zeros = [UInt8](repeating: 0, count: portion)

    /// The first `count` bytes of the key stream.
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - count: at most 4,096.
    public static func keyStream(key: [UInt8], count: Int) -> [UInt8] {
        precondition(key.count == keyLength && (0...portion).contains(count), "the callers' keys and lengths are constants")
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        defer { EVP_CIPHER_CTX_free(context) }
        // libcrypto's nonce is the block counter, little-endian in 4 bytes, and the 12 bytes of the RFC.
        let started = zeros.withUnsafeBufferPointer { nonce in
            EVP_EncryptInit_ex2(context, Algorithms.shared.chaCha20, key, nonce.baseAddress, nil)
        }
        precondition(started == 1, "ChaCha20 takes every key of its length")
        return [UInt8](unsafeUninitializedCapacity: count) { stream, filled in
            var written: Int32 = 0
            let done = zeros.withUnsafeBufferPointer { zeros in
                EVP_EncryptUpdate(context, stream.baseAddress, &written, zeros.baseAddress, Int32(count))
            }
            precondition(done == 1 && Int(written) == count, "a stream cipher cannot fail on bytes in memory")
            filled = count
        }
    }
}
