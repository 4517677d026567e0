import COpenSSL

/// Key streams of ChaCha20, each under the SHA-256 of a label and a form, one after another with the same objects of libcrypto: to make
/// those takes longer than the hash of a short form.
public final class HashedKeyStream {
    private let label: [UInt8]
    private let digest: OpaquePointer
    private let cipher: OpaquePointer
    private let zeros: [UInt8]
    private var stream: [UInt8]
    private var key = [UInt8](repeating: 0, count: SHA256.length)

    /// - Parameters:
    ///   - label: what comes before every form.
    ///   - count: how many bytes each stream has, at most 4,096.
    public init(label: [UInt8], count: Int) {
        precondition((1...ChaCha20.portion).contains(count), "the callers' lengths are constants")
        guard let digest = EVP_MD_CTX_new(), let cipher = EVP_CIPHER_CTX_new() else { preconditionFailure("no memory for a cipher") }
        self.label = label
        self.digest = digest
        self.cipher = cipher
        zeros = [UInt8](repeating: 0, count: max(count, ChaCha20.nonceLength))
        stream = [UInt8](repeating: 0, count: count)
        Self.check(EVP_EncryptInit_ex2(cipher, Algorithms.shared.chaCha20, nil, nil, nil))
    }

    deinit {
        EVP_MD_CTX_free(digest)
        EVP_CIPHER_CTX_free(cipher)
    }

    /// Hands out the stream that belongs to a form; it is valid within `body`.
    public func withStream<Result>(of form: ArraySlice<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        hash(form)
        // The first block's counter and the nonce are zeros, as everywhere in `ChaCha20`.
        Self.check(EVP_EncryptInit_ex2(cipher, nil, key, zeros, nil))
        let count = stream.count
        var written: Int32 = 0
        Self.check(EVP_EncryptUpdate(cipher, &stream, &written, zeros, Int32(count)))
        precondition(Int(written) == count, "a stream cipher cannot fail on bytes in memory")
        return stream.withUnsafeBytes(body)
    }

    private func hash(_ form: ArraySlice<UInt8>) {
        Self.check(EVP_DigestInit_ex2(digest, Algorithms.shared.sha256, nil))
        Self.check(EVP_DigestUpdate(digest, label, label.count))
        form.withUnsafeBytes { Self.check(EVP_DigestUpdate(digest, $0.baseAddress, $0.count)) }
        Self.check(EVP_DigestFinal_ex(digest, &key, nil))
    }

    private static func check(_ result: Int32) { precondition(result == 1, "libcrypto cannot fail on bytes in memory") }
}
