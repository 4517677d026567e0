import Cryptography

/// Deriving keys and transcript hashes (RFC 9528, 4 and 5). All suites here use SHA-256, so no
/// function needs to know the suite.
enum KeySchedule {
    /// info_label of EDHOC_KDF (RFC 9528, 4.1.2).
    enum Label: Int {
        case keystream2 = 0, salt3e2m = 1, mac2 = 2, key3 = 3, iv3 = 4, salt4e3m = 5, mac3 = 6
        case prkOut = 7, prkExporter = 10
    }

    /// EDHOC_KDF for the labels of the protocol.
    static func derive(_ prk: [UInt8], _ label: Label, context: [UInt8], length: Int) -> [UInt8] {
        derive(prk, label: label.rawValue, context: context, length: length)
    }

    /// EDHOC_KDF: HKDF-Expand with the sequence (info_label, context, length) as info.
    static func derive(_ prk: [UInt8], label: Int, context: [UInt8], length: Int) -> [UInt8] {
        HKDF.expand(prk, info: info(label: label, context: context, length: length), length: length)
    }

    static func info(label: Int, context: [UInt8], length: Int) -> [UInt8] {
        var info: [UInt8] = []
        info.reserveCapacity(context.count + 12)
        info.appendInteger(label)
        info.appendByteString(context)
        info.appendInteger(length)
        return info
    }

    /// TH_2 = H(G_Y, H(message_1)).
    static func transcript2(responderPoint: [UInt8], message1Hash: [UInt8]) -> [UInt8] {
        var input: [UInt8] = []
        input.appendByteString(responderPoint)
        input.appendByteString(message1Hash)
        return SHA256.hash(input)
    }

    /// TH_3 = H(TH_2, PLAINTEXT_2, CRED_R) and TH_4 = H(TH_3, PLAINTEXT_3, CRED_I).
    static func transcript(after previous: [UInt8], plaintext: [UInt8], credential: [UInt8]) -> [UInt8] {
        var input: [UInt8] = []
        input.reserveCapacity(previous.count + plaintext.count + credential.count + 2)
        input.appendByteString(previous)
        input.append(contentsOf: plaintext)
        input.append(contentsOf: credential)
        return SHA256.hash(input)
    }

    /// PRK_2e.
    static func prk2e(transcript2: [UInt8], sharedSecret: [UInt8]) -> [UInt8] {
        HKDF.extract(salt: transcript2, inputKey: sharedSecret)
    }

    /// PRK_3e2m for a responder that agrees; for one that signs it is PRK_2e itself.
    static func prk3e2m(prk2e: [UInt8], transcript2: [UInt8], sharedSecret: [UInt8]) -> [UInt8] {
        let salt = derive(prk2e, .salt3e2m, context: transcript2, length: CipherSuite.hashLength)
        return HKDF.extract(salt: salt, inputKey: sharedSecret)
    }

    /// SALT_4e3m, needed where the initiator agrees.
    static func salt4e3m(prk3e2m: [UInt8], transcript3: [UInt8]) -> [UInt8] {
        derive(prk3e2m, .salt4e3m, context: transcript3, length: CipherSuite.hashLength)
    }

    /// PLAINTEXT_2 XOR KEYSTREAM_2, either way.
    static func cipher2(_ text: [UInt8], prk2e: [UInt8], transcript2: [UInt8]) -> [UInt8] {
        var output = derive(prk2e, .keystream2, context: transcript2, length: text.count)
        for index in output.indices where index < text.count { output[index] ^= text[index] }
        return output
    }
}
