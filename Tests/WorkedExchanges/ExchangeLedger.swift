import Cryptography
import Encoding

/// Every value of one exchange, computed from keys, ephemeral keys and the two signatures in the order in
/// which the sides need them (RFC 9528, 4 and 5; RFC 9529 for the names). It shares no code with the rooms
/// that run the protocol.
public struct ExchangeLedger: Sendable {
    public private(set) var chapters: [WorkedChapter] = []
    /// The APDUs as they follow from the values; the recording must have the same.
    public private(set) var air: [Recording.Step] = []
    let recording: Recording
    let exchange: Recording.Exchange
    let site: SiteLedger

    /// Suite 2: AES-CCM-16-64-128.
    static let suite = AEADAlgorithm.aesCCM16_64_128
    static let selectCommand: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x09, 0xF0] + Array("tapstile".utf8) + [0x00]

    public init(_ recording: Recording, _ exchange: Recording.Exchange, _ site: SiteLedger) throws {
        self.recording = recording
        self.exchange = exchange
        self.site = site
        let offered = try opening()
        let shown = try gateProof(offered)
        let agreed = try phoneProof(shown)
        try outcome(agreed)
        evidence()
    }

    /// After SELECT.
    private struct Offered {
        let message1Hash: [UInt8]
        let secret: [UInt8]
        let gatePoint: [UInt8]
    }

    /// After message_2.
    private struct Shown {
        let prk: [UInt8]
        let transcript3: [UInt8]
    }

    /// After message_3.
    private struct Agreed {
        let prk: [UInt8]
        let transcript4: [UInt8]
    }

    private mutating func opening() throws -> Offered {
        var chapter = WorkedChapter(
            title: "SELECT and message_1",
            text: "Method 0, suite 2, C_I `00`, no EAD_1. The phone makes X anew for every SELECT.")
        let x = chapter.note("X", "", exchange.phoneEphemeral)
        let phone = try AgreementKey(rawPrivate: x, curve: .p256)
        let point = chapter.note("G_X", "x-coordinate of X·G", phone.publicKey.x)
        let message1 = chapter.note(
            "message_1", "(0, 2, G_X, h'00')", [0x00, 0x02] + CBOR.bytes(point).encoded + [0x00])
        let objects = [0x80, 0x01, 0x01] + Self.object(0x81, message1)
        let answer = Self.object(0x6F, Self.object(0xA5, objects))
        let command = chapter.note("SELECT", "", Self.selectCommand)
        air.append(Recording.Step(
            command: command,
            response: chapter.note("SELECT_response", "6F(A5(80(01), 81(message_1))) 90 00", answer + [0x90, 0x00])))
        chapters.append(chapter)

        var keys = WorkedChapter(title: "G_XY, the shared secret", text: "The gate has its ephemeral key ready.")
        let y = keys.note("Y", "", exchange.gateEphemeral)
        let gate = try AgreementKey(rawPrivate: y, curve: .p256)
        let gatePoint = keys.note("G_Y", "x-coordinate of Y·G", gate.publicKey.x)
        let secret = keys.note("G_XY", "x-coordinate of X·Y·G", try phone.sharedSecret(with: gate.publicKey))
        let hash = keys.note("H_message_1", "SHA-256(message_1)", SHA256.hash(message1))
        chapters.append(keys)
        return Offered(message1Hash: hash, secret: secret, gatePoint: gatePoint)
    }

    private mutating func gateProof(_ offered: Offered) throws -> Shown {
        var chapter = WorkedChapter(
            title: "message_2",
            text: "The gate signs, so PRK_3e2m is PRK_2e. C_R is `00`. ID_CRED_R travels as the bare `kid`; MAC and "
                + "signature are made over the map.")
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

    private mutating func phoneProof(_ shown: Shown) throws -> Agreed {
        var chapter = WorkedChapter(
            title: "message_3",
            text: exchange.isByReference
                ? "The phone signs, so PRK_4e3m is PRK_3e2m. ID_CRED_I is the reference: the `kid` travels, CRED_I is "
                    + "the token all the same."
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
        let key = Self.kdf(shown.prk, label: 3, context: shown.transcript3, length: 16)
        let nonce = Self.kdf(shown.prk, label: 4, context: shown.transcript3, length: 13)
        let data: [UInt8] = CBOR.array([.text("Encrypt0"), .bytes([]), .bytes(shown.transcript3)]).encoded
        let named = exchange.isByReference ? Self.compact(site.tokenReference) : identifier
        let opened = try Self.suite.open(try sentCiphertext3(), key: key, nonce: nonce, additionalData: data)
        let signature = chapter.note(
            "Signature_3", "ES256(phone_private_key, Sig_structure_3)",
            Array(opened.dropFirst(named.count + 2).prefix(64)))
        guard try SigningKey(rawPrivate: recording.phoneKey, curve: .p256).publicKey.verify(signature, over: structure) else {
            throw Recording.Incomplete()
        }
        let plaintext = chapter.note(
            "PLAINTEXT_3", exchange.isByReference ? "(kid, bstr Signature_3, EAD_3)" : "(ID_CRED_I, bstr Signature_3, EAD_3)",
            named + CBOR.bytes(signature).encoded + ead)
        _ = chapter.derive("K_3", "PRK_3e2m", shown.prk, label: 3, "TH_3", shown.transcript3, length: 16)
        _ = chapter.derive("IV_3", "PRK_3e2m", shown.prk, label: 4, "TH_3", shown.transcript3, length: 13)
        _ = chapter.note("A_3", "[\"Encrypt0\", h'', TH_3]", data)
        let ciphertext = chapter.note(
            "CIPHERTEXT_3", "AES-CCM-16-64-128(K_3, IV_3, A_3, PLAINTEXT_3)",
            try Self.suite.seal(plaintext, key: key, nonce: nonce, additionalData: data))
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

    private mutating func outcome(_ agreed: Agreed) throws {
        var chapter = WorkedChapter(
            title: "OUTCOME",
            text: "Granted, with the head of the gate's journal. It is message 0 of this direction, so the nonce is the "
                + "exported one as it is.")
        let out = chapter.derive("PRK_out", "PRK_4e3m", agreed.prk, label: 7, "TH_4", agreed.transcript4, length: 32)
        let exporter = chapter.derive("PRK_exporter", "PRK_out", out, label: 10, "h''", [], length: 32)
        let key = chapter.derive("gate_to_phone_key", "PRK_exporter", exporter, label: 32768, "h''", [], length: 16)
        let nonce = chapter.derive("gate_to_phone_nonce", "PRK_exporter", exporter, label: 32769, "h''", [], length: 13)
        let value: CBOR = .array([1, 0, 0, .simple(22), .bytes(recording.journalHead), .simple(22)])
        let plaintext = chapter.note(
            "outcome", "[version, result, reason, retry-after, journal-head, addition]", value.encoded)
        let sealed = chapter.note(
            "outcome_ciphertext", "AES-CCM-16-64-128(gate_to_phone_key, gate_to_phone_nonce, h'', outcome)",
            try Self.suite.seal(plaintext, key: key, nonce: nonce, additionalData: []))
        let command = chapter.note(
            "OUTCOME", "80 E4 00 00 Lc outcome_ciphertext 00",
            [0x80, 0xE4, 0x00, 0x00, UInt8(sealed.count)] + sealed + [0x00])
        let response = chapter.note("OUTCOME_response", "", [0x90, 0x00])
        air.append(Recording.Step(command: command, response: response))
        chapters.append(chapter)
    }

    /// What the gate's journal keeps of a grant (docs/evidence.md): values of this exchange, for others to check.
    private mutating func evidence() {
        var chapter = WorkedChapter(
            title: "evidence",
            text: "What the gate's journal keeps of this grant. CRED_I is null where ID_CRED_I brought it.")
        let named = ["TH_2", "PLAINTEXT_2", "MAC_2"].map { CBOR.bytes(value($0)) }
        let rest = ["EAD_3", "MAC_3", "Signature_3"].map { CBOR.bytes(value($0)) }
        let credential: CBOR = exchange.isByReference ? .bytes(recording.token) : .simple(22)
        let fields: [CBOR] = [2, 0, .bytes(value("ID_CRED_I"))] + named + [.bytes(site.gateCredential), credential] + rest
        _ = chapter.note(
            "evidence", "[2, method, ID_CRED_I, TH_2, PLAINTEXT_2, MAC_2, CRED_R, CRED_I / null, EAD_3, MAC_3, Signature_3]",
            CBOR.array(fields).encoded)
        chapters.append(chapter)
    }

    /// A value noted before.
    private func value(_ name: String) -> [UInt8] {
        chapters.lazy.flatMap(\.values).first { $0.name == name }?.bytes ?? []
    }
}
