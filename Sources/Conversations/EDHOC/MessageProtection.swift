import Cryptography

/// The AEAD around message_3 or message_4 (RFC 9528, 5.4.2 and 5.5.2): key, nonce and associated
/// data follow from the transcript alone and can be made before the message is there.
struct MessageProtection {
    let algorithm: AEADAlgorithm
    let key: [UInt8]
    let nonce: [UInt8]
    let associatedData: [UInt8]

    /// K_3 and IV_3.
    static func message3(_ suite: CipherSuite, prk3e2m: [UInt8], transcript3: [UInt8]) -> MessageProtection {
        MessageProtection(suite.aead, prk: prk3e2m, transcript: transcript3, key: .key3, nonce: .iv3)
    }

    /// K_4 and IV_4.
    static func message4(_ suite: CipherSuite, prk4e3m: [UInt8], transcript4: [UInt8]) -> MessageProtection {
        MessageProtection(suite.aead, prk: prk4e3m, transcript: transcript4, key: .key4, nonce: .iv4)
    }

    private init(
        _ algorithm: AEADAlgorithm, prk: [UInt8], transcript: [UInt8],
        key: KeySchedule.Label, nonce: KeySchedule.Label
    ) {
        self.algorithm = algorithm
        self.key = KeySchedule.derive(prk, key, context: transcript, length: algorithm.keyLength)
        self.nonce = KeySchedule.derive(prk, nonce, context: transcript, length: algorithm.nonceLength)
        associatedData = Self.associatedData(transcript)
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
