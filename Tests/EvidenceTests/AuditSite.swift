import Credentials
import Cryptography
import Encoding
@testable import Evidence
@testable import PhoneProtocol
@testable import Storage

/// A site, one person and one gate, and the record that the gate's journal has of a tap.
struct AuditSite {
    let issuer, gateIssuer, gateSigning, phoneSigning, audit: SigningKey
    let gateAgreement, phoneAgreement: AgreementKey

    init() throws {
        issuer = try SigningKey.generate(.p256)
        gateIssuer = try SigningKey.generate(.p256)
        gateSigning = try SigningKey.generate(.p256)
        phoneSigning = try SigningKey.generate(.p256)
        audit = try SigningKey.generate(.p256)
        gateAgreement = try AgreementKey.generate(.p256)
        phoneAgreement = try AgreementKey.generate(.p256)
    }

    /// A site in which the phone has another key.
    init(signing: SigningKey, everythingElseOf other: AuditSite) {
        issuer = other.issuer
        gateIssuer = other.gateIssuer
        gateSigning = other.gateSigning
        phoneSigning = signing
        audit = other.audit
        gateAgreement = other.gateAgreement
        phoneAgreement = other.phoneAgreement
    }

    static let site = "north"
    static let time: Int64 = 1_800_000_000
    static let boot = [UInt8](repeating: 0xb0, count: 16)

    /// What can be said otherwise of one tap.
    struct Tap {
        var method = EDHOCMethod.bothSign
        var shown = Shown.token
        var lane = "entry"
        var gateName = "gate-1"
        /// What the gate says in EAD_2, where it is not what record and phone say.
        var gateLane: String?
        var gateCarrier = Carrier.nfc
        var gateTime = AuditSite.time
        var request: PhoneRequest?
        var audience = "tapstile:north"
        var subject = "anna"
        var userVerification = false
        /// Seconds from the time of the record to the token's first and, less one, last.
        var validity: (from: Int64, to: Int64) = (-1000, 1000)
        /// A token for somebody else's key.
        var isTokenOfAnother = false
        var isEmergency = false
    }

    /// How the phone shows who it is.
    enum Shown { case token, tokenByReference, tokenBesideClaims, enrolled }

    // Credentials -----------------------------------------------------------------------------------

    func token(_ tap: Tap) throws -> Token {
        let own = tap.method.initiatorUsesSignature ? phoneSigning.publicKey : phoneAgreement.publicKey
        let key = tap.isTokenOfAnother ? issuer.publicKey : own
        let claims = TokenClaims(
            issuer: "north", subject: tap.subject, audiences: [tap.audience], notBefore: Self.time + tap.validity.from,
            expiresAt: Self.time + tap.validity.to, cti: [7], confirmationKey: COSEKey(key: key), userVerification: tap.userVerification)
        // As an older version issued them, whatever people are called.
        return try Token(parsingWithAnyNames: COSESign1.sign(payload: claims.cbor.encoded, key: issuer).encoded)
    }

    func enrolled(_ tap: Tap) -> EnrolledKey {
        let signs = tap.method.initiatorUsesSignature
        return EnrolledKey(
            keyIdentifier: [0x2B], key: signs ? phoneSigning.publicKey : phoneAgreement.publicKey, use: signs ? .sign : .agree,
            subject: tap.subject, userVerification: tap.userVerification)
    }

    func gateToken(_ key: PublicKey, _ use: KeyUse) throws -> GateToken {
        try GateToken.issue(
            GateTokenClaims(
                issuer: "north-gates", site: Self.site, notBefore: Self.time - 1000, expiresAt: Self.time + 1000, cti: [1],
                confirmationKey: COSEKey(key: key, use: use)), key: gateIssuer)
    }

    func gate(_ tap: Tap) throws -> OwnCredential {
        let key: AuthenticationKey = tap.method.responderUsesSignature ? .signing(gateSigning) : .agreement(gateAgreement)
        if tap.isEmergency {
            let token = try gateToken(key.publicKey, key.signs ? .sign : .agree)
            return OwnCredential(identifier: CredentialIdentifier(token: token.raw), credential: token.raw, key: key)
        }
        let group = GateCredential(site: Self.site, key: key.publicKey)
        return OwnCredential(
            identifier: CredentialIdentifier(keyIdentifier: group.keyIdentifier), credential: group.claims, key: key)
    }

    func phone(_ tap: Tap) throws -> (own: OwnCredential, items: [EADItem], identifier: [UInt8]) {
        let key: AuthenticationKey = tap.method.initiatorUsesSignature ? .signing(phoneSigning) : .agreement(phoneAgreement)
        let token = try token(tap), enrolled = enrolled(tap)
        switch tap.shown {
        case .token:
            return (OwnCredential(identifier: CredentialIdentifier(token: token.raw), credential: token.raw, key: key), [], token.identifier.bytes)
        case .tokenByReference:
            let reference = CredentialIdentifier(keyIdentifier: token.identifier.reference)
            return (OwnCredential(identifier: reference, credential: token.raw, key: key), [], token.identifier.bytes)
        case .tokenBesideClaims:
            let claims = ConfirmedKeyCredential(key: COSEKey(key: key.publicKey, keyIdentifier: [0x2B]), subject: "x").raw
            let item = EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: token.raw)
            return (OwnCredential(identifier: CredentialIdentifier(claims: claims), credential: claims, key: key), [item], token.identifier.bytes)
        case .enrolled:
            let name = CredentialIdentifier(keyIdentifier: enrolled.keyIdentifier)
            return (OwnCredential(identifier: name, credential: enrolled.credential, key: key), [], key.publicKey.thumbprint)
        }
    }

    // A tap -------------------------------------------------------------------------------------------

    /// The evidence of a whole exchange.
    func evidence(_ tap: Tap) throws -> TapEvidence {
        let gate = try gate(tap), phone = try phone(tap)
        var initiator = EDHOCInitiator(
            method: tap.method, suites: [2], connectionIdentifier: [0x00], ephemeral: try .generate(for: .suite2))
        var responder = EDHOCResponder(
            methods: [tap.method], suites: [.suite2], connectionIdentifier: [0x00], ephemeral: try .generate(for: .suite2))
        let context = GateContext(
            gateIdentifier: tap.gateName, lane: tap.gateLane ?? tap.lane, carrier: tap.gateCarrier, mode: .onTouch, time: tap.gateTime,
            cacheGeneration: 1, wantsSecondFactor: false)
        _ = try responder.receiveMessage1(try initiator.makeMessage1())
        _ = try initiator.receiveMessage2(try responder.makeMessage2(gate, ead: [context.item]))
        _ = try initiator.verifyMessage2([PeerCredential(credential: gate.credential, key: gate.key.publicKey)])
        let request = tap.request ?? PhoneRequest(carrier: .nfc, lane: tap.lane)
        _ = try responder.receiveMessage3(try initiator.makeMessage3(phone.own, ead: [request.item] + phone.items))
        _ = try responder.verifyMessage3([PeerCredential(credential: phone.own.credential, key: phone.own.key.publicKey)])
        guard let result = responder.result else { throw EDHOCError.outOfOrder }
        return TapEvidence(of: result)
    }

    /// The record of a granted tap, as the journal writes it.
    func record(_ tap: Tap, _ evidence: TapEvidence) throws -> [UInt8] {
        let time = JournalTime(wallMilliseconds: Self.time * 1000 + 321, trust: .synchronised, monotonicMilliseconds: 99)
        let attempt = JournalEntry(
            kind: .attempt, time: time, lane: tap.lane, reader: "desk", carrier: .nfc, transcriptHash: evidence.gate?.transcript2)
        let outcome = JournalEntry(
            kind: .outcome, time: time, lane: tap.lane, reader: "desk", carrier: .nfc, transcriptHash: evidence.transcript4,
            attempt: 5, subject: tap.subject, credential: try phone(tap).identifier, reason: Reason.granted.rawValue,
            evidence: evidence.encoded, detail: ["rule": "granted", "command": .text(evidence.request?.command ?? "tokn")])
        let attemptBody = JournalBody.encode(attempt, partition: .unproven, sequence: 5, boot: Self.boot, attemptBody: nil)
        return JournalBody.encode(outcome, partition: .main, sequence: 17, boot: Self.boot, attemptBody: attemptBody)
    }

    func file(_ tap: Tap = Tap()) throws -> EvidenceFile { file(around: try record(tap, evidence(tap))) }

    /// A file whose hash is right, whatever the record says, and that the gate has signed all the same, if it can be.
    func file(around record: [UInt8], site: String = AuditSite.site, gate: String? = nil, key: SigningKey? = nil) -> EvidenceFile {
        let hash = SHA256.hash(Self.previous + record), statement = RecordStatement(parsing: record)
        let said = statement.flatMap { TapEvidence(parsing: $0.evidence) }?.gate?.context?.gateIdentifier
        let outcome = SignedOutcome.sign(
            site: site, gate: gate ?? said ?? "gate-1", recordHash: hash, transcript: statement?.transcript ?? [], reason: statement?.reason ?? "",
            key: key ?? audit)
        return EvidenceFile(previous: Self.previous, record: record, hash: hash, outcome: outcome)
    }

    /// What somebody makes who has everything but a gate's audit key.
    func fileOfAPhone(_ tap: Tap = Tap()) throws -> EvidenceFile {
        let file = try file(tap)
        return EvidenceFile(previous: file.previous, record: file.record, hash: file.hash)
    }

    private static let previous = [UInt8](repeating: 9, count: 32)

    /// Everything that somebody can know.
    func trust(_ tap: Tap = Tap()) -> EvidenceTrust {
        let gates = [gateSigning.publicKey, gateAgreement.publicKey].compactMap {
            try? ConfirmedKeyCredential(parsing: GateCredential(site: Self.site, key: $0).claims)
        }
        let issuerOfGates = GateIssuer(site: Self.site, name: "north-gates", key: gateIssuer.publicKey)
        return EvidenceTrust(
            issuers: [issuer.publicKey], gates: gates.map { .credential($0) } + [.issuer(issuerOfGates)],
            enrolled: [KnownEnrolment(enrolled(tap))], auditKeys: [audit.publicKey])
    }
}

extension EvidenceReport {
    /// The codes of what does not hold.
    var faults: Set<EvidenceFault> { Set(checks.compactMap(\.fault)) }
    var names: [EvidenceCheck.Name] { checks.map(\.name) }
}
