import Credentials
import Cryptography
import Encoding
import PhoneProtocol

/// Holds two exchanges between the gate's own engine and a phone, with keys that are known, and keeps what
/// was said: once with the token by value, once by reference.
public enum Recorder {
    /// The gate said something that a good phone does not expect.
    struct Unexpected: Error {}

    /// Everything anew.
    public static func record() throws -> Recording {
        let issuer = RandomBytes.make(32), phone = RandomBytes.make(32), gate = RandomBytes.make(32)
        let site = "example-site"
        let phoneKey = try SigningKey(rawPrivate: phone, curve: .p256)
        let claims = TokenClaims(
            issuer: "office-1", subject: "u4711", audiences: ["tapstile:example-site/lobby"],
            notBefore: 1_799_900_000, expiresAt: 1_800_100_000, cti: [0x00, 0x2A],
            confirmationKey: COSEKey(key: phoneKey.publicKey))
        let token = try Token.issue(claims, key: try SigningKey(rawPrivate: issuer, curve: .p256))
        let head = SHA256.hash(Array("head of a journal".utf8))
        let blank = Recording(
            site: site, gate: "gate-1", lane: "main", time: 1_800_000_000, generation: 7, journalHead: head,
            gateKey: gate, phoneKey: phone, issuerKey: issuer, token: token.raw, exchanges: [])
        return Recording(
            site: site, gate: blank.gate, lane: blank.lane, time: blank.time, generation: blank.generation,
            journalHead: head, gateKey: gate, phoneKey: phone, issuerKey: issuer, token: token.raw,
            exchanges: [try exchange(of: blank, byReference: false), try exchange(of: blank, byReference: true)])
    }

    /// Exchanges of the same site and phone in the other suites, with the token by value.
    public static func record(suitesOf recording: Recording) throws -> Recording {
        Recording(
            site: recording.site, gate: recording.gate, lane: recording.lane, time: recording.time, generation: recording.generation,
            journalHead: recording.journalHead, gateKey: recording.gateKey, phoneKey: recording.phoneKey, issuerKey: recording.issuerKey,
            token: recording.token, exchanges: try WorkedSuite.others.map { try exchange(of: recording, byReference: false, suite: $0) })
    }

    /// One tap, from SELECT to the answer to OUTCOME.
    static func exchange(of recording: Recording, byReference: Bool, suite: Int = 2) throws -> Recording.Exchange {
        let phoneEphemeral = RandomBytes.make(32), gateEphemeral = RandomBytes.make(32)
        let curve = try WorkedSuite.named(suite).curve
        var gate = try recording.engine(ephemeral: gateEphemeral, on: curve)
        var phone = try RecordedPhone(recording, ephemeral: phoneEphemeral, on: curve, suite: suite, byReference: byReference)
        let token = try Token(parsing: recording.token)
        var air: [Recording.Step] = []
        var action = gate.start()
        while true {
            switch action {
            case .send(let command), .sendFinal(let command, _):
                let response = try phone.receive(command)
                air.append(Recording.Step(command: command, response: response))
                action = gate.receive(response)
            case .identify:
                // A gate that has the token by reference knows it by the same bytes.
                let candidate = PeerCredential(credential: token.raw, key: token.claims.confirmationKey.key)
                guard case .proved = gate.resolve([candidate]) else { throw Unexpected() }
                action = gate.outcome(
                    PhoneOutcome(result: .granted, reason: .granted, journalHead: recording.journalHead))
            case .finish(.outcomeTold):
                return Recording.Exchange(
                    isByReference: byReference, suite: suite, phoneEphemeral: phoneEphemeral, gateEphemeral: gateEphemeral, air: air)
            case .finish:
                throw Unexpected()
            }
        }
    }
}

extension Recording {
    /// The gate of this recording, as it runs in the field.
    func engine(ephemeral: [UInt8], on curve: Curve) throws -> NFCGateConversation {
        let key = try SigningKey(rawPrivate: gateKey, curve: .p256)
        let shown = GateCredential(site: site, key: key.publicKey)
        let credential = GateKeys.Credential(keyIdentifier: shown.keyIdentifier, claims: shown.claims)
        let offer = try GateOffer(gateIdentifier: gate, lane: lane, carrier: .nfc)
        return NFCGateConversation(
            offer: offer.at(time: time, cacheGeneration: generation),
            keys: GateKeys(signing: (key, credential), agreement: nil),
            ephemeral: EphemeralKey(known: try AgreementKey(rawPrivate: ephemeral, curve: curve)))
    }
}
