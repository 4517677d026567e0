import Cryptography
import Encoding
@testable import PhoneProtocol

/// A trace worked out again from what somebody chose: keys, identifiers, credentials, associated data. Every other
/// value follows, one from the other.
struct TraceRecomputation {
    /// The values that are chosen. All others of a trace must be in `values`.
    static let chosen: Set<String> = [
        "METHOD", "SUITES_I", "X", "C_I", "EAD_1", "Y", "C_R", "SK_R", "SK_I", "ID_CRED_R", "ID_CRED_I",
        "certificate in CRED_R", "certificate in CRED_I", "EAD_2", "EAD_3", "EAD_4", "context for KeyUpdate",
        "first METHOD", "first SUITES_I", "first X", "first C_I", "first EAD_1"
    ]

    private(set) var values: [String: [UInt8]] = [:]
    private let party: TraceParty
    private let vectors: TraceVectors

    init(_ party: TraceParty) throws {
        self.party = party
        vectors = party.vectors
        if vectors.values["first METHOD"] != nil { try firstMessage() }
        try message1()
        try message2()
        try message3()
        message4()
        session()
    }

    private var isStatic: Bool { party.method == .bothAgree }

    private mutating func firstMessage() throws {
        let key = try AgreementKey(rawPrivate: vectors["first X"], curve: party.suite.agreementCurve)
        values["first G_X"] = key.publicKey.x
        values["first message_1"] = vectors["first METHOD"] + vectors["first SUITES_I"]
            + CBOR.bytes(key.publicKey.x).encoded + CompactIdentifier.encode(vectors["first C_I"]) + vectors["first EAD_1"]
        values["error"] = EDHOCErrorMessage.wrongSuite([party.suite.rawValue]).encoded
    }

    private mutating func message1() throws {
        let x = try AgreementKey(rawPrivate: vectors["X"], curve: party.suite.agreementCurve).publicKey
        values["G_X"] = x.x
        values["G_X y"] = isStatic ? x.y : nil
        values["message_1"] = vectors["METHOD"] + vectors["SUITES_I"] + CBOR.bytes(x.x).encoded
            + CompactIdentifier.encode(vectors["C_I"]) + vectors["EAD_1"]
        values["H(message_1)"] = SHA256.hash(values["message_1"] ?? [])
    }

    private mutating func message2() throws {
        let curve = party.suite.agreementCurve
        let x = try AgreementKey(rawPrivate: vectors["X"], curve: curve)
        let y = try AgreementKey(rawPrivate: vectors["Y"], curve: curve)
        values["G_Y"] = y.publicKey.x
        values["G_Y y"] = isStatic ? y.publicKey.y : nil
        let input = CBOR.bytes(y.publicKey.x).encoded + CBOR.bytes(values["H(message_1)"] ?? []).encoded
        values["Input to calculate TH_2"] = input
        let transcript = SHA256.hash(input)
        values["TH_2"] = transcript
        values["G_XY"] = try y.sharedSecret(with: x.publicKey)
        let prk2e = KeySchedule.prk2e(transcript2: transcript, sharedSecret: values["G_XY"] ?? [])
        values["PRK_2e"] = prk2e
        values["PRK_3e2m"] = try prk3e2m(prk2e, transcript, with: x)
        try credential("R")
        try proof("2", "R", prk: values["PRK_3e2m"] ?? [], transcript, prefix: CompactIdentifier.encode(vectors["C_R"]))
        let plaintext = values["PLAINTEXT_2"] ?? []
        derive("KEYSTREAM_2", prk2e, label: 0, transcript, plaintext.count)
        values["CIPHERTEXT_2"] = zip(plaintext, values["KEYSTREAM_2"] ?? []).map { $0 ^ $1 }
        values["message_2"] = CBOR.bytes(y.publicKey.x + (values["CIPHERTEXT_2"] ?? [])).encoded
    }

    private mutating func prk3e2m(_ prk2e: [UInt8], _ transcript: [UInt8], with x: AgreementKey) throws -> [UInt8] {
        guard isStatic else { return prk2e }
        derive("SALT_3e2m", prk2e, label: 1, transcript, 32)
        let key = try AgreementKey(rawPrivate: vectors["SK_R"], curve: party.suite.agreementCurve)
        values["G_RX"] = try key.sharedSecret(with: x.publicKey)
        return HKDF.extract(salt: values["SALT_3e2m"] ?? [], inputKey: values["G_RX"] ?? [])
    }

    private mutating func message3() throws {
        let input = CBOR.bytes(values["TH_2"] ?? []).encoded + (values["PLAINTEXT_2"] ?? []) + (values["CRED_R"] ?? [])
        values["Input to calculate TH_3"] = input
        let transcript = SHA256.hash(input)
        values["TH_3"] = transcript
        let prk3e2m = values["PRK_3e2m"] ?? []
        var prk4e3m = prk3e2m
        if isStatic {
            derive("SALT_4e3m", prk3e2m, label: 5, transcript, 32)
            let curve = party.suite.agreementCurve
            let key = try AgreementKey(rawPrivate: vectors["SK_I"], curve: curve)
            let y = try AgreementKey(rawPrivate: vectors["Y"], curve: curve)
            values["G_IY"] = try key.sharedSecret(with: y.publicKey)
            prk4e3m = HKDF.extract(salt: values["SALT_4e3m"] ?? [], inputKey: values["G_IY"] ?? [])
        }
        values["PRK_4e3m"] = prk4e3m
        try credential("I")
        try proof("3", "I", prk: prk4e3m, transcript, prefix: [])
        protect("3", prk: prk3e2m, transcript, key: 3, nonce: 4, values["PLAINTEXT_3"] ?? [])
    }

    private mutating func message4() {
        let input = CBOR.bytes(values["TH_3"] ?? []).encoded + (values["PLAINTEXT_3"] ?? []) + (values["CRED_I"] ?? [])
        values["Input to calculate TH_4"] = input
        let transcript = SHA256.hash(input)
        values["TH_4"] = transcript
        values["PLAINTEXT_4"] = vectors["EAD_4"]
        protect("4", prk: values["PRK_4e3m"] ?? [], transcript, key: 8, nonce: 9, vectors["EAD_4"])
    }

    private mutating func session() {
        derive("PRK_out", values["PRK_4e3m"] ?? [], label: 7, values["TH_4"] ?? [], 32)
        derive("PRK_exporter", values["PRK_out"] ?? [], label: 10, [], 32)
        values["Client's OSCORE Sender ID"] = vectors["C_R"]
        values["Server's OSCORE Sender ID"] = vectors["C_I"]
        derive("OSCORE Master Secret", values["PRK_exporter"] ?? [], label: 0, [], 16)
        derive("OSCORE Master Salt", values["PRK_exporter"] ?? [], label: 1, [], 8)
        let updated = KeySchedule.derive(values["PRK_out"] ?? [], label: 11, context: vectors["context for KeyUpdate"], length: 32)
        let exporter = KeySchedule.derive(updated, label: 10, context: [], length: 32)
        values["PRK_out after KeyUpdate"] = updated
        values["PRK_exporter after KeyUpdate"] = exporter
        values["OSCORE Master Secret after KeyUpdate"] = KeySchedule.derive(exporter, label: 0, context: [], length: 16)
        values["OSCORE Master Salt after KeyUpdate"] = KeySchedule.derive(exporter, label: 1, context: [], length: 8)
    }

    /// CRED_x: a certificate as byte string in chapter 2, a CCS of the static key in chapter 3.
    private mutating func credential(_ side: String) throws {
        let key = try party.key("SK_\(side)").publicKey
        guard isStatic else {
            values["PK_\(side)"] = key.x
            values["CRED_\(side)"] = CBOR.bytes(vectors["certificate in CRED_\(side)"]).encoded
            return
        }
        values["G_\(side) x"] = key.x
        values["G_\(side) y"] = key.y
        guard let y = key.y else { return }
        let subject: CBOR = side == "R" ? "example.edu" : "42-50-31-FF-EF-37-32-39"
        let identifier = try CBOR.decode(vectors["ID_CRED_\(side)"])[4] ?? .null
        let cose: CBOR = .map([1: 2, 2: identifier, -1: 1, -2: .bytes(key.x), -3: .bytes(y)])
        values["CRED_\(side)"] = CBOR.map([2: subject, 8: .map([1: cose])]).encoded
    }

    private mutating func proof(_ number: String, _ side: String, prk: [UInt8], _ transcript: [UInt8], prefix: [UInt8]) throws {
        let identifier = vectors["ID_CRED_\(side)"]
        let credential = values["CRED_\(side)"] ?? []
        let ead = vectors["EAD_\(number)"]
        let context = prefix + identifier + CBOR.bytes(transcript).encoded + credential + ead
        values["context_\(number)"] = context
        derive("MAC_\(number)", prk, label: number == "2" ? 2 : 6, context, isStatic ? party.suite.macLength : 32)
        let mac = values["MAC_\(number)"] ?? []
        values["Signature_or_MAC_\(number)"] = mac
        if !isStatic {
            let external = CBOR.bytes(transcript).encoded + credential + ead
            let message = CBOR.array(["Signature1", .bytes(identifier), .bytes(external), .bytes(mac)]).encoded
            values["Message to be signed \(number)"] = message
            let key = try SigningKey(rawPrivate: vectors["SK_\(side)"], curve: party.suite.signatureCurve)
            values["Signature_or_MAC_\(number)"] = try key.sign(message)
        }
        values["PLAINTEXT_\(number)"] = prefix + (try CredentialIdentifier(map: identifier).wire)
            + CBOR.bytes(values["Signature_or_MAC_\(number)"] ?? []).encoded + ead
    }

    private mutating func protect(
        _ number: String, prk: [UInt8], _ transcript: [UInt8], key: Int, nonce: Int, _ plaintext: [UInt8]
    ) {
        let aead = party.suite.aead
        values["A_\(number)"] = CBOR.array(["Encrypt0", .bytes([]), .bytes(transcript)]).encoded
        derive("K_\(number)", prk, label: key, transcript, aead.keyLength)
        derive("IV_\(number)", prk, label: nonce, transcript, aead.nonceLength)
        let sealed = try? aead.seal(
            plaintext, key: values["K_\(number)"] ?? [], nonce: values["IV_\(number)"] ?? [],
            additionalData: values["A_\(number)"] ?? [])
        values["CIPHERTEXT_\(number)"] = sealed
        values["message_\(number)"] = CBOR.bytes(sealed ?? []).encoded
    }

    /// EDHOC_KDF with its info, which is made here from its CDDL and not by the code under test.
    private mutating func derive(_ name: String, _ prk: [UInt8], label: Int, _ context: [UInt8], _ length: Int) {
        let info = CBOR.encodeSequence([CBOR(label), .bytes(context), CBOR(length)])
        values["info for \(name)"] = info
        values[name] = HKDF.expand(prk, info: info, length: length)
    }
}
