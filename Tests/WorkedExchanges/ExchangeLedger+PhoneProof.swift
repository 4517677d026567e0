import Cryptography
import Encoding

extension ExchangeLedger {
    /// message_3: the phone proves its key.
    mutating func phoneProof(_ shown: Shown) throws -> Agreed {
        var chapter = WorkedChapter(
            title: "message_3",
            text: exchange.isByReference
                ? "The phone signs, so PRK_4e3m is PRK_3e2m. ID_CRED_I is the reference, CRED_I the token."
                : "The phone signs, so PRK_4e3m is PRK_3e2m. ID_CRED_I brings the token by value.")
        let prk = chapter.note("PRK_4e3m", "PRK_3e2m", shown.prk)
        let value: CBOR = .array([0, .text(recording.lane), .simple(22), 4, .text("en")])
        let content = chapter.note("phone_request", "[carrier, lane, command, flags, language]", value.encoded)
        let ead = chapter.note("EAD_3", "(-54354, bstr phone_request)", CBOR.encodeSequence([-54354, .bytes(content)]))
        let token = recording.token
        let identifier = exchange.isByReference
            ? chapter.note("ID_CRED_I", "{4: token_reference}", CBOR.map([4: .bytes(site.tokenReference)]).encoded)
            : chapter.note("ID_CRED_I", "{13: token}", [0xA1, 0x0D] + token)
        _ = chapter.note("CRED_I", "token", token)
        let context = chapter.note(
            "context_3", "(ID_CRED_I, bstr TH_3, CRED_I, EAD_3)",
            identifier + CBOR.bytes(shown.transcript3).encoded + token + ead)
        let mac = chapter.derive("MAC_3", "PRK_4e3m", prk, label: 6, "context_3", context, length: 32)
        let structure = chapter.note(
            "Sig_structure_3", "[\"Signature1\", bstr ID_CRED_I, bstr (bstr TH_3, CRED_I, EAD_3), MAC_3]",
            Self.signatureStructure(identifier, shown.transcript3, token, ead, mac))
        let key = Self.kdf(shown.prk, label: 3, context: shown.transcript3, length: suite.aead.keyLength)
        let nonce = Self.kdf(shown.prk, label: 4, context: shown.transcript3, length: suite.aead.nonceLength)
        let data: [UInt8] = CBOR.array([.text("Encrypt0"), .bytes([]), .bytes(shown.transcript3)]).encoded
        let named = exchange.isByReference ? Self.compact(site.tokenReference) : identifier
        let opened = try suite.aead.open(try sentCiphertext3(), key: key, nonce: nonce, additionalData: data)
        let signature = chapter.note(
            "Signature_3", "ES256(phone_private_key, Sig_structure_3)",
            Array(opened.dropFirst(named.count + 2).prefix(64)))
        guard try SigningKey(rawPrivate: recording.phoneKey, curve: .p256).publicKey.verify(signature, over: structure) else {
            throw Recording.Incomplete()
        }
        let plaintext = chapter.note(
            "PLAINTEXT_3", exchange.isByReference ? "(kid, bstr Signature_3, EAD_3)" : "(ID_CRED_I, bstr Signature_3, EAD_3)",
            named + CBOR.bytes(signature).encoded + ead)
        _ = chapter.derive("K_3", "PRK_3e2m", shown.prk, label: 3, "TH_3", shown.transcript3, length: suite.aead.keyLength)
        _ = chapter.derive("IV_3", "PRK_3e2m", shown.prk, label: 4, "TH_3", shown.transcript3, length: suite.aead.nonceLength)
        _ = chapter.note("A_3", "[\"Encrypt0\", h'', TH_3]", data)
        let ciphertext = chapter.note(
            "CIPHERTEXT_3", "\(WorkedSuite.name(suite.aead))(K_3, IV_3, A_3, PLAINTEXT_3)",
            try suite.aead.seal(plaintext, key: key, nonce: nonce, additionalData: data))
        let message3 = chapter.note("message_3", "bstr CIPHERTEXT_3", CBOR.bytes(ciphertext).encoded)
        answer(message3, in: &chapter)
        let transcript4 = chapter.note(
            "TH_4", "SHA-256(bstr TH_3, PLAINTEXT_3, CRED_I)",
            SHA256.hash(CBOR.bytes(shown.transcript3).encoded + plaintext + token))
        chapters.append(chapter)
        return Agreed(prk: prk, transcript4: transcript4)
    }

    /// The responses that carry message_3: in one part or, beyond 250 bytes, in two.
    private mutating func answer(_ message3: [UInt8], in chapter: inout WorkedChapter) {
        let sent = air.removeLast().command
        let rest = Array(message3.dropFirst(250))
        guard !rest.isEmpty else {
            let whole = chapter.note("EXCHANGE_response", "message_3 90 00", message3 + [0x90, 0x00])
            air.append(Recording.Step(command: sent, response: whole))
            return
        }
        let first = chapter.note(
            "EXCHANGE_response", "the first 250 bytes of message_3, 61 and how many are left",
            Array(message3.prefix(250)) + [0x61, UInt8(rest.count)])
        air.append(Recording.Step(command: sent, response: first))
        let command = chapter.note("GET_RESPONSE", "00 C0 00 00 Le", [0x00, 0xC0, 0x00, 0x00, UInt8(rest.count)])
        let last = chapter.note("GET_RESPONSE_response", "the rest of message_3 90 00", rest + [0x90, 0x00])
        air.append(Recording.Step(command: command, response: last))
    }
}
