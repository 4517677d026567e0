// with: Fuzzing/Taps/*.swift
// with: Sources/Controller/Tap/@(Candidate|Holder|CardIdentification|VerificationResult+Reason|Identification|Identifier|PeerCredential+Decoy).swift
@testable import PhoneProtocol
import Credentials
import Cryptography
import Encoding
import Vocabulary

/// A gate from SELECT to OUTCOME, with the controller's way to a decision. The fuzzer is the phone: it has a person's keys
/// and encrypts properly, and says what it likes in every field, in whatever credential, and in the framing around it.
/// What keeps to the protocol must open; what does not must not. Ephemeral keys are always the same here, so that the
/// secrets between them are made once.
func fuzz(_ input: [UInt8]) {
    var tap = GateTap(Script(input))
    tap.run()
}

private let site = TapSite("s", number: 1)
private let secrets = Secrets()

/// The ephemeral keys, and every secret that this fuzzer needs of them.
private struct Secrets {
    /// For suite 6, and for the others.
    let x25519: Ephemerals
    let p256: Ephemerals
    /// With the gate's long-term key.
    let gateStatic: [UInt8]
    /// With the person's long-term key, for each of the gate's keys.
    let personStatic: [[UInt8]]

    init() {
        do {
            let ours = try Ephemerals(.p256)
            p256 = ours
            x25519 = try Ephemerals(.x25519)
            gateStatic = try ours.phone.sharedSecret(with: site.agreement.publicKey)
            personStatic = try ours.gate.map { try site.personAgreement.sharedSecret(with: $0.publicKey) }
        } catch {
            fatalError("the keys are good: \(error)")
        }
    }

    /// The gate's two keys, one of them in each half, for the first exchange and the one after it.
    func gateKey(_ index: Int) -> EphemeralKey { EphemeralKey(known: p256.gate[index], alternative: x25519.gate[index]) }
}

/// The ephemeral keys on one curve.
private struct Ephemerals {
    let gate: [AgreementKey]
    let phone: AgreementKey
    /// G_XY, for each of the gate's keys.
    let shared: [[UInt8]]

    init(_ curve: Curve) throws {
        let gate = try [30, 31].map { try AgreementKey(rawPrivate: TapSite.raw($0, 1), curve: curve) }
        let phone = try AgreementKey(rawPrivate: TapSite.raw(32, 1), curve: curve)
        self.gate = gate
        self.phone = phone
        shared = try gate.map { try phone.sharedSecret(with: $0.publicKey) }
    }
}

private struct GateTap: ~Copyable {
    var script: Script
    var gate: NFCGateConversation
    let method: EDHOCMethod
    let suite: CipherSuite
    /// The ephemeral keys on the suite's curve.
    let ephemerals: Ephemerals
    /// What must become of the conversation.
    var fate = Fate.good
    let keys: GateKeys
    var message1: [UInt8] = []
    /// Data of chained commands so far.
    var chained: [UInt8] = []

    init(_ given: Script) {
        var script = given
        let options = script.byte()
        let method = EDHOCMethod(rawValue: Int(options & 3)) ?? .bothSign
        let suite = Self.suite(options, method)
        self.method = method
        self.suite = suite
        ephemerals = suite.agreementCurve == .x25519 ? secrets.x25519 : secrets.p256
        let credentials = site.credentials.map { GateKeys.Credential(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        let isByValue = options & 8 != 0
        keys = GateKeys(signing: (site.signing, isByValue ? GateKeys.Credential(site.gateToken) : credentials[0]),
                            agreement: (site.agreement, isByValue ? GateKeys.Credential(site.gateAgreementToken) : credentials[1]))
        do {
            let offer = try GateOffer(gateIdentifier: "g", lane: "lane", carrier: .nfc, methods: EDHOCMethod.allCases)
            gate = NFCGateConversation(offer: offer.at(time: TapSite.now, cacheGeneration: 1), keys: keys,
                               ephemeral: secrets.gateKey(0), spare: secrets.gateKey(1))
        } catch {
            fatalError("the offer is good")
        }
        self.script = script
    }

    /// Suite 6 goes with method 0 alone.
    private static func suite(_ options: UInt8, _ method: EDHOCMethod) -> CipherSuite {
        switch (options & 16 == 0, options & 4 == 0) {
        case (true, true): .suite2
        case (true, false): .suite3
        case (false, true): .suite5
        case (false, false): method == .bothSign ? .suite6 : .suite5
        }
    }

    mutating func run() {
        _ = gate.start()
        makeMessage1()
        var answer = SelectAnswer(versions: script.pick([[1], [1, 2], [2, 1]] as [[UInt8]]), message1: message1).encoded
        // What arrives is message_1 then, whatever it was before.
        if script.alter(&answer) { fate = .open }
        var action = send(answer)
        while true {
            switch action {
            case .send(let command):
                must(command.count <= 261, "a command is short")
                action = proceed(command)
            case .sendFinal(let command, let transcript):
                must(transcript.count == 32, "a transcript is a hash")
                action = answerMessage2(command, transcript)
            case .identify(let claim):
                action = identify(claim)
            case .finish:
                let again = gate.receive([0x90, 0x00])
                must(again == action, "a conversation that is over stays so")
                return
            }
        }
    }

    // message_1 --------------------------------------------------------------------------------------

    private mutating func makeMessage1() {
        fate = .good
        let suites = script.pick([[suite.rawValue], [4, suite.rawValue], [0, 1, suite.rawValue], [suite.rawValue, 2]])
        let identifier = script.pick([[0x00], [0x2B], [], [0x41], [0x18], [1, 2, 3]] as [[UInt8]])
        var ead: [EADItem] = []
        if script.below(4) == 3 {
            let isCritical = script.below(2) == 1
            ead.append(EADItem(label: 1 + script.below(100), isCritical: isCritical, value: script.bytes()))
            if isCritical { fate = .bad }
        }
        if suites.last != suite.rawValue { fate = .open }
        message1 = Message1(method: method.rawValue, suites: suites, point: ephemerals.phone.publicKey.x, connectionIdentifier: identifier,
                            ead: ead).encoded
        if script.alter(&message1) { fate = .open }
    }

    // Carrying ---------------------------------------------------------------------------------------

    /// Gives data to the gate, whole or in parts.
    private mutating func send(_ data: [UInt8], _ status: StatusWord = .success) -> NFCGateConversation.Action {
        let part = script.pick([0, 0, 250, 1 + script.below(60)])
        guard part > 0, status == .success else { return gate.receive(ResponseAPDU(data: data, status: status).encoded) }
        var splitter = ResponseSplitter(data, partCount: part)
        var action = gate.receive(splitter.next().encoded)
        while case .send(let command) = action, command.count > 1, command[1] == 0xC0, !splitter.isEmpty {
            action = gate.receive(splitter.next().encoded)
        }
        return action
    }

    /// What the gate says beside message_2: parts of commands, errors, outcomes.
    private mutating func proceed(_ command: [UInt8]) -> NFCGateConversation.Action {
        guard let parsed = try? CommandAPDU(parsing: command) else { fatalError("a command is well formed") }
        if parsed.cla & 0x10 != 0 { chained += parsed.data }
        if parsed.cla & 0x10 != 0 || parsed.ins == 0xC0 {
            return gate.receive(ResponseAPDU(data: script.below(16) == 15 ? script.bytes() : []).encoded)
        }
        guard parsed.ins == PhoneProtocolProfile.exchangeInstruction, parsed.p1 == ExchangeKind.error.rawValue, script.below(3) > 0 else {
            return send(script.below(8) == 7 ? script.bytes() : [], script.below(8) == 6 ? .conditionsNotSatisfied : .success)
        }
        makeMessage1()
        return send(message1)
    }

    // message_3 --------------------------------------------------------------------------------------

    private mutating func answerMessage2(_ command: [UInt8], _ transcript2: [UInt8]) -> NFCGateConversation.Action {
        guard let last = try? CommandAPDU(parsing: command), let message2 = try? CBOR.decode(chained + last.data).bytes else {
            fatalError("message_2 is one byte string")
        }
        chained = []
        let index = message2.prefix(32).elementsEqual(ephemerals.gate[0].publicKey.x) ? 0 : 1
        var message = makeMessage3(message2: message2, transcript2, ephemeral: index)
        if script.alter(&message) || message.count > 1024 { fate = .bad }
        let action = send(message)
        if fate == .good {
            guard case .identify = action else { fatalError("a good message_3 was refused") }
        }
        return action
    }

    private mutating func makeMessage3(message2: [UInt8], _ transcript2: [UInt8], ephemeral: Int) -> [UInt8] {
        let prk2e = KeySchedule.prk2e(transcript2: transcript2, sharedSecret: ephemerals.shared[ephemeral])
        let plaintext2 = KeySchedule.cipher2(Array(message2.dropFirst(32)), prk2e: prk2e, transcript2: transcript2)
        let prk3e2m = method.responderUsesSignature
            ? prk2e : KeySchedule.prk3e2m(prk2e: prk2e, transcript2: transcript2, sharedSecret: secrets.gateStatic)
        let transcript3 = KeySchedule.transcript(
            after: transcript2, plaintext: plaintext2, credential: keys.credential(for: method)?.credential ?? [])
        var plaintext = makePlaintext3(prk3e2m, transcript3, ephemeral)
        if script.alter(&plaintext) { fate = .bad }
        let protection = MessageProtection.message3(suite, prk3e2m: prk3e2m, transcript3: transcript3)
        guard let message = try? protection.seal(plaintext) else { fatalError("everything can be sealed") }
        return message
    }

    private mutating func makePlaintext3(_ prk3e2m: [UInt8], _ transcript3: [UInt8], _ ephemeral: Int) -> [UInt8] {
        let shown = chooseCredential()
        var items = script.items(ours: request().item)
        if let token = shown.beside {
            items.items.append(EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: token))
        }
        fate = fate.worse(items.fate)
        let ead = EADItem.encode(items.items) + items.raw
        let signs = method.initiatorUsesSignature
        let prk4e3m = signs ? prk3e2m : HKDF.extract(
            salt: KeySchedule.salt4e3m(prk3e2m: prk3e2m, transcript3: transcript3), inputKey: secrets.personStatic[ephemeral])
        let context = ProofContext(identifier: shown.identifier.map, transcript: transcript3, credential: shown.credential, ead: ead)
        let length = suite.macLength(underSignature: signs)
        let proof: [UInt8]
        switch script.below(8) {
        case 6:
            fate = .bad
            proof = script.bytes()
        case 7:
            // Another signer; another secret.
            fate = .bad
            let mac = context.mac(signs ? prk4e3m : transcript3, .mac3, length: length)
            proof = (try? context.prove(mac: mac, key: signs ? .signing(site.eve) : site.person(signs: false))) ?? []
        default:
            let mac = context.mac(prk4e3m, .mac3, length: length)
            proof = (try? context.prove(mac: mac, key: site.person(signs: signs))) ?? []
        }
        return AuthenticatedPlaintext(connectionIdentifier: [], identifier: shown.identifier, proof: proof, eadField: ead).bytes
    }

    private struct Shown {
        let identifier: CredentialIdentifier
        let credential: [UInt8]
        var beside: [UInt8]?

        static func token(_ raw: [UInt8], beside: [UInt8]? = nil) -> Shown {
            Shown(identifier: CredentialIdentifier(token: raw), credential: raw, beside: beside)
        }

        static func claims(_ raw: [UInt8], beside: [UInt8]? = nil) -> Shown {
            Shown(identifier: CredentialIdentifier(claims: raw), credential: raw, beside: beside)
        }

        static func named(_ name: [UInt8], _ raw: [UInt8]) -> Shown {
            Shown(identifier: CredentialIdentifier(keyIdentifier: name), credential: raw)
        }
    }

    private mutating func chooseCredential() -> Shown {
        let signs = method.initiatorUsesSignature
        let (right, wrong) = signs ? (site.token, site.agreementToken) : (site.agreementToken, site.token)
        let enrolled = signs ? site.enrolled : site.enrolledAgreement
        switch script.below(16) {
        case 0, 1: return .token(right.raw)
        case 2: return .claims(enrolled.credential)
        case 3: return .named(enrolled.keyIdentifier, enrolled.credential)
        case 4: return .named(right.identifier.reference, right.raw)
        case 5: return .claims(ConfirmedKeyCredential(key: COSEKey(key: site.person.publicKey)).raw, beside: right.raw)
        case 6:
            var raw = right.raw
            _ = script.alter(&raw)
            if let token = try? Token(parsing: raw) {
                fate = fate.worse(token.identifier == right.identifier ? .open : .bad)
            } else {
                fate = .bad
            }
            return .token(raw)
        case 7:
            var raw = enrolled.credential
            if script.alter(&raw) { fate = fate.worse(.open) }
            return .claims(raw)
        case 8: return raw()
        case 9: fate = .bad; return .token(wrong.raw)
        case 10: fate = .bad; return .claims(site.credentials[signs ? 0 : 1].claims)
        case 11: fate = .bad; return .token(signs ? site.gateToken.raw : site.gateAgreementToken.raw)
        case 12: fate = .bad; return .token(site.eveToken.raw)
        case 13: fate = .bad; return .token(right.raw, beside: right.raw)
        case 14: fate = .bad; return .claims(enrolled.credential, beside: script.bytes())
        default: fate = .bad; return .named(script.bytes() + [0x77], enrolled.credential)
        }
    }

    /// Any map of one or more header parameters, or something that is none.
    private mutating func raw() -> Shown {
        fate = fate.worse(.open)
        let map = script.bytes()
        guard let identifier = try? CredentialIdentifier(map: map) else { return .token(map) }
        return Shown(identifier: identifier, credential: script.below(2) == 0 ? site.token.raw : script.bytes())
    }

    private mutating func request() -> PhoneRequest {
        let lane = script.pick(["lane", "lane", "lane", "lane", "lane", "lane", "lan", "lane\u{0}"])
        let carrier = script.pick([Carrier.nfc, .nfc, .nfc, .nfc, .nfc, .nfc, .nfc, .ble])
        let command = script.pick([nil, nil, nil, "tokn", "tokn", "arm", "tokn ", "TOKN"])
        if lane != "lane" || carrier != .nfc || (command ?? "tokn") != "tokn" { fate = .bad }
        let flags = script.byte()
        return PhoneRequest(
            carrier: carrier, lane: lane, namedCommand: command, trigger: flags & 1 == 0 ? .automatic : .manual,
            isForeground: flags & 2 != 0, canUseNFC: flags & 4 != 0, language: script.pick([nil, "en", "de-AT"]))
    }

    // The decision -----------------------------------------------------------------------------------

    private mutating func identify(_ claim: Claim) -> NFCGateConversation.Action {
        switch identifier.identify(claim, clock: ClockReading(seconds: TapSite.now, trust: .synchronised)) {
        case .stranger(let reason):
            must(fate != .good, "a good phone is nobody: \(reason)")
            _ = gate.resolve(PeerCredential.decoy)
            return gate.refuse(reason)
        case .candidates(let candidates):
            must(candidates.count <= PeerCredential.maximumCandidates, "few candidates are tried")
            switch gate.resolve(candidates.map(\.peer)) {
            case .refused(let reason):
                must(fate != .good, "a good phone is refused: \(reason)")
                return gate.refuse(reason)
            case .proved(let proof):
                return decide(proof, candidates[proof.candidate].holder)
            }
        }
    }

    private mutating func decide(_ proof: Proof, _ holder: Holder) -> NFCGateConversation.Action {
        let isGranted = holder.result.reason == nil
        must(isGranted || fate != .good, "a good phone is denied")
        if isGranted {
            must(fate != .bad, "a bad phone is granted")
            must(holder.subject == "ada" && proof.claim.request.command == "tokn", "a grant is for whom it is")
        }
        let evidence = proof.evidence
        must(TapEvidence(parsing: evidence.encoded) == evidence, "evidence is read as written")
        return gate.outcome(PhoneOutcome(result: isGranted ? .granted : .refused, reason: holder.result.reason ?? .granted))
    }
}

/// The controller's way to whom a claim names.
private let identifier = Identifier(
    place: Place(site: site.name, zone: nil, lane: "lane"), policy: VerificationPolicy(), enrolledNeedClock: false,
    known: { reference in
        [site.token, site.agreementToken].first { $0.identifier.reference == reference }.map { KnownToken(token: $0, generation: 1) }
    },
    ask: { site.answer($0) })
