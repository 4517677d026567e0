import COpenSSL
import Credentials
import Cryptography
import PhoneProtocol
import VirtualPhone

/// What libcrypto must do between the phone's last byte and the decision, called directly: no
/// wrappers, no copies, contexts made ahead and used again wherever libcrypto allows it.
///
/// - message_3 is opened by the suite's AEAD, with key and nonce derived before;
/// - by value: the token's Sig_structure is hashed, and its issuer's signature verified with a key
///   that is ready for it;
/// - the phone's key, known only now, is made from its coordinates, which checks the point;
/// - MAC_3 is made (one HMAC), the Sig_structure hashed, the phone's signature verified;
/// - TH_4 is hashed.
///
/// Nothing for ECDH and the keys derived from it: that is done before the last byte. The messages have
/// the lengths of the real ones.
///
/// `@unchecked Sendable`: one tap at a time runs it, on one thread.
final class BareExchange: @unchecked Sendable {
    /// Lengths of what is hashed and opened, and signatures over it.
    struct Material {
        let aead: AEADAlgorithm
        let plaintext: [UInt8]
        /// What is hashed for MAC_3, for the phone's signature, and for TH_4.
        let macInput: [UInt8]
        let toBeSigned: [UInt8]
        let transcriptInput: [UInt8]
        /// 04 || x || y
        let phonePoint: [UInt8]
        let phoneSignature: [UInt8]
        /// By value only.
        let token: (toBeSigned: [UInt8], signature: [UInt8])?
    }

    private let material: Material
    private let sha256: OpaquePointer
    private let digest: OpaquePointer
    private let aead: OpaquePointer
    private let isCCM: Bool
    private let cipher: OpaquePointer
    private let hmac: OpaquePointer
    private let template: OpaquePointer
    private let issuer: OpaquePointer?
    private let key: [UInt8]
    private let nonce: [UInt8]
    private let associated = [UInt8](repeating: 9, count: 45)
    private var sealed: [UInt8]
    private var tag: [UInt8]
    private var opened: [UInt8]
    private var hash = [UInt8](repeating: 0, count: 32)

    init(_ material: Material, issuerPoint: [UInt8]?) throws(BenchError) {
        self.material = material
        guard let sha256 = EVP_MD_fetch(nil, "SHA256", nil), let digest = EVP_MD_CTX_new(),
              let aead = EVP_CIPHER_fetch(nil, material.aead.libraryName, nil), let cipher = EVP_CIPHER_CTX_new(),
              let hmac = Self.makeHMAC(), let template = Self.makeTemplate() else { throw BenchError("libcrypto lacks an algorithm") }
        (self.sha256, self.digest, self.aead, self.cipher, self.hmac, self.template) = (sha256, digest, aead, cipher, hmac, template)
        isCCM = material.aead.nonceLength == 13
        key = [UInt8](repeating: 7, count: material.aead.keyLength)
        nonce = [UInt8](repeating: 8, count: material.aead.nonceLength)
        tag = [UInt8](repeating: 0, count: material.aead.tagLength)
        issuer = issuerPoint.flatMap { Self.verifier($0, template)?.context }
        sealed = material.plaintext
        opened = material.plaintext
        try seal()
    }

    deinit {
        EVP_PKEY_CTX_free(issuer)
        EVP_PKEY_free(template)
        EVP_MAC_CTX_free(hmac)
        EVP_CIPHER_CTX_free(cipher)
        EVP_CIPHER_free(aead)
        EVP_MD_CTX_free(digest)
        EVP_MD_free(sha256)
    }

    /// Nanoseconds that the last run took; nil if it did not verify.
    private(set) var lastTime: Int64?

    /// Runs once and notes how long it took.
    func runTimed() {
        let start = Clock.now
        let isGood = run()
        lastTime = isGood ? Clock.now - start : nil
    }

    /// Everything once. False if anything did not verify: then nothing was measured.
    private func run() -> Bool {
        guard open() else { return false }
        if let token = material.token {
            sum(token.toBeSigned)
            guard EVP_PKEY_verify(issuer, token.signature, token.signature.count, hash, 32) == 1 else { return false }
        }
        guard let phone = Self.verifier(material.phonePoint, template) else { return false }
        defer {
            EVP_PKEY_CTX_free(phone.context)
            EVP_PKEY_free(phone.key)
        }
        var length = 0
        guard EVP_MAC_init(hmac, hash, 32, nil) == 1, EVP_MAC_update(hmac, material.macInput, material.macInput.count) == 1,
              EVP_MAC_final(hmac, &hash, &length, 32) == 1 else { return false }
        sum(material.toBeSigned)
        guard EVP_PKEY_verify(phone.context, material.phoneSignature, material.phoneSignature.count, hash, 32) == 1
        else { return false }
        sum(material.transcriptInput)
        return true
    }

    private func sum(_ bytes: [UInt8]) {
        EVP_DigestInit_ex2(digest, sha256, nil)
        EVP_DigestUpdate(digest, bytes, bytes.count)
        EVP_DigestFinal_ex(digest, &hash, nil)
    }

    private func start(_ encrypting: Int32) -> Bool {
        EVP_CipherInit_ex2(cipher, aead, nil, nil, encrypting, nil) == 1
            && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1
    }

    private func open() -> Bool {
        var written: Int32 = 0
        return start(0) && EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1
            && EVP_CipherInit_ex2(cipher, nil, key, nonce, 0, nil) == 1 && begin(length: sealed.count)
            && EVP_CipherUpdate(cipher, &opened, &written, sealed, Int32(sealed.count)) == 1 && finish()
    }

    /// The length, which CCM wants to know before, and the additional data.
    private func begin(length: Int) -> Bool {
        var written: Int32 = 0
        return (!isCCM || EVP_CipherUpdate(cipher, nil, &written, nil, Int32(length)) == 1)
            && EVP_CipherUpdate(cipher, nil, &written, associated, Int32(associated.count)) == 1
    }

    /// CCM has authenticated by then.
    private func finish() -> Bool {
        var (written, nothing): (Int32, [UInt8]) = (0, [0])
        return isCCM || EVP_CipherFinal_ex(cipher, &nothing, &written) == 1
    }

    private func seal() throws(BenchError) {
        var written: Int32 = 0
        guard start(1), !isCCM || EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), nil) == 1,
              EVP_CipherInit_ex2(cipher, nil, key, nonce, 1, nil) == 1, begin(length: material.plaintext.count),
              EVP_CipherUpdate(cipher, &sealed, &written, material.plaintext, Int32(material.plaintext.count)) == 1, finish(),
              EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), &tag) == 1 else { throw BenchError("libcrypto cannot seal") }
    }

    /// A key from its point, ready to verify: what a key that was never seen before costs.
    private static func verifier(_ point: [UInt8], _ template: OpaquePointer) -> (key: OpaquePointer, context: OpaquePointer)? {
        guard let key = EVP_PKEY_dup(template) else { return nil }
        guard EVP_PKEY_set1_encoded_public_key(key, point, point.count) == 1, let context = EVP_PKEY_CTX_new(key, nil),
              EVP_PKEY_verify_init(context) == 1 else { return nil }
        return (key, context)
    }

    private static func makeHMAC() -> OpaquePointer? {
        guard let mac = EVP_MAC_fetch(nil, "HMAC", nil) else { return nil }
        defer { EVP_MAC_free(mac) }
        guard let context = EVP_MAC_CTX_new(mac), tapstile_hmac_use_sha256(context) == 1 else { return nil }
        return context
    }

    /// P-256 without a point: the group is not built by name each time.
    private static func makeTemplate() -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var template: OpaquePointer?
        guard EVP_PKEY_paramgen_init(context) == 1, EVP_PKEY_CTX_set_group_name(context, "P-256") == 1,
              EVP_PKEY_paramgen(context, &template) == 1 else { return nil }
        return template
    }
}

extension AEADAlgorithm {
    /// What libcrypto knows it by.
    fileprivate var libraryName: String {
        switch self {
        case .a128GCM: "AES-128-GCM"
        case .aesCCM16_64_128, .aesCCM16_128_128: "AES-128-CCM"
        case .chaCha20Poly1305: "ChaCha20-Poly1305"
        }
    }
}
