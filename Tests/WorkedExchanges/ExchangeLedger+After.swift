import Cryptography
import Encoding

extension ExchangeLedger {
    /// The exported keys, and OUTCOME under them.
    mutating func outcome(_ agreed: Agreed) throws {
        var chapter = WorkedChapter(
            title: "OUTCOME",
            text: "Granted, with the journal's head. It is message 0, so the nonce is the exported one.")
        let out = chapter.derive("PRK_out", "PRK_4e3m", agreed.prk, label: 7, "TH_4", agreed.transcript4, length: 32)
        let exporter = chapter.derive("PRK_exporter", "PRK_out", out, label: 10, "h''", [], length: 32)
        let key = chapter.derive("gate_to_phone_key", "PRK_exporter", exporter, label: 32768, "h''", [], length: suite.application.keyLength)
        let nonce = chapter.derive("gate_to_phone_nonce", "PRK_exporter", exporter, label: 32769, "h''", [], length: suite.application.nonceLength)
        let value: CBOR = .array([1, 0, 0, .simple(22), .bytes(recording.journalHead), .simple(22)])
        let plaintext = chapter.note(
            "outcome", "[version, result, reason, retry-after, journal-head, addition]", value.encoded)
        let sealed = chapter.note(
            "outcome_ciphertext", "\(WorkedSuite.name(suite.application))(gate_to_phone_key, gate_to_phone_nonce, h'', outcome)",
            try suite.application.seal(plaintext, key: key, nonce: nonce, additionalData: []))
        let command = chapter.note(
            "OUTCOME", "80 E4 00 00 Lc outcome_ciphertext 00",
            [0x80, 0xE4, 0x00, 0x00, UInt8(sealed.count)] + sealed + [0x00])
        let response = chapter.note("OUTCOME_response", "", [0x90, 0x00])
        air.append(Recording.Step(command: command, response: response))
        chapters.append(chapter)
    }

    /// What the gate's journal keeps of a grant (docs/evidence.md): values of this exchange, for others to check.
    mutating func evidence() {
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
}
