/// Authenticated encryption, by COSE numbers (RFC 9053, 4).
public enum AEADAlgorithm: Int, Hashable, Sendable, CaseIterable {
    /// AES-128-GCM with a 128-bit tag (EDHOC suite 6).
    case a128GCM = 1
    /// AES-CCM with a 64-bit tag and a 13-byte nonce (EDHOC suites 0 and 2).
    case aesCCM16_64_128 = 10
    /// ChaCha20-Poly1305 (RFC 8439) with a 256-bit key and a 128-bit tag (EDHOC suite 5).
    case chaCha20Poly1305 = 24
    /// AES-CCM with a 128-bit tag and a 13-byte nonce (EDHOC suites 1 and 3).
    case aesCCM16_128_128 = 30

    /// The longest message: what a nonce of 13 bytes leaves for the length (RFC 3610, 2.1).
    public static let longestMessage = 0xFFFF

    /// Length of the key in bytes.
    public var keyLength: Int {
        switch self {
        case .a128GCM, .aesCCM16_64_128, .aesCCM16_128_128: 16
        case .chaCha20Poly1305: 32
        }
    }

    /// Length of the nonce in bytes.
    public var nonceLength: Int {
        switch self {
        case .a128GCM, .chaCha20Poly1305: 12
        case .aesCCM16_64_128, .aesCCM16_128_128: 13
        }
    }

    /// Length of the tag in bytes.
    public var tagLength: Int {
        switch self {
        case .aesCCM16_64_128: 8
        case .a128GCM, .aesCCM16_128_128, .chaCha20Poly1305: 16
        }
    }

    /// Encrypts and authenticates; the answer is ciphertext followed by tag.
    public func seal(_ plaintext: [UInt8], key: [UInt8], nonce: [UInt8],
                     additionalData: [UInt8]) throws(CryptographyError) -> [UInt8] {
        try checkLengths(key: key, nonce: nonce, message: plaintext.count)
        let cipher = try AEADCipher(self)
        try cipher.start(self, sealing: true, key: key, nonce: nonce, tag: nil)
        return try cipher.seal(plaintext, additionalData: additionalData, tagLength: tagLength)
    }

    /// Checks and decrypts ciphertext followed by tag. Throws `notAuthentic` when it does not fit;
    /// no part of a message that does not fit is given out.
    public func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8],
                     additionalData: [UInt8]) throws(CryptographyError) -> [UInt8] {
        guard sealed.count >= tagLength else { throw .notAuthentic }
        try checkLengths(key: key, nonce: nonce, message: sealed.count - tagLength)
        let tag = Array(sealed.suffix(tagLength))
        let cipher = try AEADCipher(self)
        try cipher.start(self, sealing: false, key: key, nonce: nonce, tag: tag)
        return try cipher.open(sealed, length: sealed.count - tagLength, additionalData: additionalData)
    }

    private func checkLengths(key: [UInt8], nonce: [UInt8], message: Int) throws(CryptographyError) {
        guard key.count == keyLength, nonce.count == nonceLength,
              message <= Self.longestMessage else { throw .wrongLength }
    }
}
