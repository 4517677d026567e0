import Cryptography

/// The AEAD around message_3 (RFC 9528, 5.4.2): key, nonce and associated data follow from the transcript alone and can be made before the
/// message is there.
struct MessageProtection {
    let algorithm: AEADAlgorithm
    let key: [UInt8]
    let nonce: [UInt8]
    let associatedData: [UInt8]

    /// K_3 and IV_3.
    static func message3(_ suite: CipherSuite, prk3e2m: [UInt8], transcript3: [UInt8]) -> MessageProtection {
        let algorithm = suite.aead
        return MessageProtection(
            algorithm: algorithm, key: KeySchedule.derive(prk3e2m, .key3, context: transcript3, length: algorithm.keyLength),
            nonce: KeySchedule.derive(prk3e2m, .iv3, context: transcript3, length: algorithm.nonceLength),
            associatedData: associatedData(transcript3))
    }

    /// Enc_structure of RFC 9052, 5.3: ["Encrypt0", h'', TH].
    static func associatedData(_ transcript: [UInt8]) -> [UInt8] {
        var data: [UInt8] = [0x83, 0x68] + Array("Encrypt0".utf8) + [0x40]
        data.appendByteString(transcript)
        return data
    }

    /// The message: a byte string around the ciphertext.
    func seal(_ plaintext: [UInt8]) throws(EDHOCError) -> [UInt8] {
        do {
            let ciphertext = try algorithm.seal(plaintext, key: key, nonce: nonce, additionalData: associatedData)
            var message: [UInt8] = []
            message.reserveCapacity(ciphertext.count + 3)
            message.appendByteString(ciphertext)
            return message
        } catch {
            throw .cryptography(error.code)
        }
    }

    /// The plaintext in a message. A ciphertext shorter than its tag does not open either.
    func open(_ message: [UInt8]) throws(EDHOCError) -> [UInt8] {
        let ciphertext = try EDHOCLimits.soleByteString(of: message)
        guard let plaintext = try? algorithm.open(
            ciphertext, key: key, nonce: nonce, additionalData: associatedData)
        else { throw .notDecrypted }
        return plaintext
    }
}
