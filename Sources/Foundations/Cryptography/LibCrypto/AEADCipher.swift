#if canImport(COpenSSL)
import COpenSSL

/// One use of a cipher of libcrypto, in the order that CCM demands: lengths and tag, key and
/// nonce, length of the message, additional data, message (EVP_EncryptInit(3), "CCM mode").
struct AEADCipher: ~Copyable {
    private let context: OpaquePointer
    private let isCCM: Bool

    init(_ algorithm: AEADAlgorithm) throws(CryptographyError) {
        guard let context = EVP_CIPHER_CTX_new() else { throw .libraryFailed(operation: "cipher") }
        self.context = context
        isCCM = algorithm.isCCM
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Sets direction, lengths, key and nonce, and the tag to be expected when opening.
    func start(_ algorithm: AEADAlgorithm, sealing: Bool, key: [UInt8], nonce: [UInt8],
               tag: [UInt8]?) throws(CryptographyError) {
        let cipher = algorithm.cipher
        let encrypt: Int32 = sealing ? 1 : 0
        guard EVP_CipherInit_ex2(context, cipher, nil, nil, encrypt, nil) == 1,
              EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1,
              Self.setTag(context, tag, length: algorithm.tagLength, needed: isCCM),
              EVP_CipherInit_ex2(context, nil, key, nonce, encrypt, nil) == 1 else {
            throw .libraryFailed(operation: "cipher start")
        }
    }

    /// Ciphertext followed by tag.
    func seal(_ plaintext: [UInt8], additionalData: [UInt8],
              tagLength: Int) throws(CryptographyError) -> [UInt8] {
        try begin(length: plaintext.count, additionalData: additionalData)
        let sealed = [UInt8](unsafeUninitializedCapacity: plaintext.count + tagLength) { out, filled in
            guard update(out.baseAddress, plaintext, plaintext.count), finish(out.baseAddress),
                  let tag = out.baseAddress?.advanced(by: plaintext.count),
                  EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), tag) == 1
            else { return }
            filled = plaintext.count + tagLength
        }
        guard !sealed.isEmpty else { throw .libraryFailed(operation: "seal") }
        return sealed
    }

    /// The first `length` bytes of `sealed` decrypted, if the tag given at the start fits.
    func open(_ sealed: [UInt8], length: Int, additionalData: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try begin(length: length, additionalData: additionalData)
        var isAuthentic = false
        // One byte more than needed, so that an empty message has an address too.
        let plaintext = [UInt8](unsafeUninitializedCapacity: length + 1) { out, filled in
            isAuthentic = update(out.baseAddress, sealed, length) && finish(out.baseAddress)
            if isAuthentic { filled = length } else { OPENSSL_cleanse(out.baseAddress, length) }
        }
        guard isAuthentic else {
            ERR_clear_error()
            throw .notAuthentic
        }
        return plaintext
    }

    private static func setTag(_ context: OpaquePointer, _ tag: [UInt8]?, length: Int, needed: Bool) -> Bool {
        if var tag {
            return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(length), &tag) == 1
        }
        return !needed || EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(length), nil) == 1
    }

    private func begin(length: Int, additionalData: [UInt8]) throws(CryptographyError) {
        var written: Int32 = 0
        if isCCM, EVP_CipherUpdate(context, nil, &written, nil, Int32(length)) != 1 {
            throw .libraryFailed(operation: "message length")
        }
        guard !additionalData.isEmpty else { return }
        guard EVP_CipherUpdate(context, nil, &written, additionalData, Int32(additionalData.count)) == 1 else {
            throw .libraryFailed(operation: "additional data")
        }
    }

    private func update(_ output: UnsafeMutablePointer<UInt8>?, _ input: [UInt8], _ count: Int) -> Bool {
        var written: Int32 = 0
        return EVP_CipherUpdate(context, output, &written, input, Int32(count)) == 1
    }

    /// CCM authenticates in `update`; its own final call does nothing and must not be needed.
    private func finish(_ output: UnsafeMutablePointer<UInt8>?) -> Bool {
        if isCCM { return true }
        var written: Int32 = 0
        return EVP_CipherFinal_ex(context, output, &written) == 1
    }
}

extension AEADAlgorithm {
    /// What libcrypto knows it by.
    fileprivate var cipher: OpaquePointer {
        switch self {
        case .a128GCM: Algorithms.shared.aes128GCM
        case .aesCCM16_64_128, .aesCCM16_128_128: Algorithms.shared.aes128CCM
        case .chaCha20Poly1305: Algorithms.shared.chaCha20Poly1305
        }
    }

    /// Whether libcrypto must know the lengths before the message.
    fileprivate var isCCM: Bool {
        switch self {
        case .aesCCM16_64_128, .aesCCM16_128_128: true
        case .a128GCM, .chaCha20Poly1305: false
        }
    }
}
#endif
