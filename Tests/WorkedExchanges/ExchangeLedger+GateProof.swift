import Cryptography
import Encoding

extension ExchangeLedger {
    /// message_2: the gate proves its key.
    mutating func gateProof(_ offered: Offered) throws -> Shown {
        var chapter = WorkedChapter(
            title: "message_2",
            text: "The gate signs, so PRK_3e2m is PRK_2e. C_R is `00`. ID_CRED_R travels as the bare `kid`, and is signed as a map.")
        let transcript2 = chapter.note(
            "TH_2", "SHA-256(bstr G_Y, bstr H_message_1)",
            SHA256.hash(CBOR.encodeSequence([.bytes(offered.gatePoint), .bytes(offered.message1Hash)])))
        let prk = chapter.note(
            "PRK_2e", "HKDF-Extract(TH_2, G_XY)", HKDF.extract(salt: transcript2, inputKey: offered.secret))
        _ = chapter.note("PRK_3e2m", "PRK_2e", prk)
        let value: CBOR = .array([
            1, .text(recording.gate), .text(recording.lane), 0, 0, CBOR(recording.time),
            .unsigned(recording.generation), false
        ])
        let content = chapter.note(
            "gate_context", "[version, gate, lane, carrier, mode, time, generation, second-factor]", value.encoded)
        let ead = chapter.note("EAD_2", "(-54353, bstr gate_context)", CBOR.encodeSequence([-54353, .bytes(content)]))
        let identifier = chapter.note("ID_CRED_R", "{4: gate_kid}", CBOR.map([4: .bytes(site.gateIdentifier)]).encoded)
        let context = chapter.note(
            "context_2", "(C_R, ID_CRED_R, bstr TH_2, CRED_R, EAD_2)",
            [0x00] + identifier + CBOR.bytes(transcript2).encoded + site.gateCredential + ead)
        let mac = chapter.derive("MAC_2", "PRK_3e2m", prk, label: 2, "context_2", context, length: 32)
        let structure = chapter.note(
            "Sig_structure_2", "[\"Signature1\", bstr ID_CRED_R, bstr (bstr TH_2, CRED_R, EAD_2), MAC_2]",
            Self.signatureStructure(identifier, transcript2, site.gateCredential, ead, mac))
        let compact = Self.compact(site.gateIdentifier)
        let length = 1 + compact.count + 66 + ead.count
        let keystream = Self.kdf(prk, label: 0, context: transcript2, length: length)
        let sent = try sentMessage2()
        guard sent.count == 32 + length else { throw Recording.Incomplete() }
        let opened = zip(sent.dropFirst(32), keystream).map { $0 ^ $1 }
        let signature = chapter.note(
            "Signature_2", "ES256(gate_private_key, Sig_structure_2)",
            Array(opened.dropFirst(1 + compact.count + 2).prefix(64)))
        guard try SigningKey(rawPrivate: recording.gateKey, curve: .p256).publicKey.verify(signature, over: structure) else {
            throw Recording.Incomplete()
        }
        let plaintext = chapter.note(
            "PLAINTEXT_2", "(C_R, kid, bstr Signature_2, EAD_2)",
            [0x00] + compact + CBOR.bytes(signature).encoded + ead)
        _ = chapter.derive("KEYSTREAM_2", "PRK_2e", prk, label: 0, "TH_2", transcript2, length: length)
        let ciphertext = chapter.note(
            "CIPHERTEXT_2", "PLAINTEXT_2 XOR KEYSTREAM_2", zip(plaintext, keystream).map { $0 ^ $1 })
        let message2 = chapter.note(
            "message_2", "bstr (G_Y, CIPHERTEXT_2)", CBOR.bytes(offered.gatePoint + ciphertext).encoded)
        let command = chapter.note(
            "EXCHANGE", "80 E2 00 00 Lc message_2 00", [0x80, 0xE2, 0x00, 0x00, UInt8(message2.count)] + message2 + [0x00])
        air.append(Recording.Step(command: command, response: []))
        let transcript3 = chapter.note(
            "TH_3", "SHA-256(bstr TH_2, PLAINTEXT_2, CRED_R)",
            SHA256.hash(CBOR.bytes(transcript2).encoded + plaintext + site.gateCredential))
        chapters.append(chapter)
        return Shown(prk: prk, transcript3: transcript3)
    }
}
