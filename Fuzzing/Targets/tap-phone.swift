// with: Fuzzing/Taps/*.swift
// with: Sources/Phone/VirtualPhone/Exchange/!(PhoneCard).swift
@testable import PhoneProtocol
import Credentials
import Cryptography
import Encoding

/// A phone from SELECT to OUTCOME. The fuzzer is the gate: it has the gates' keys of two sites and a gate issuer's, encrypts
/// properly, and says what it likes in every field, in whatever credential, and in the framing around it. What keeps to the
/// protocol must be answered, what does not must not, and an answer shows what the phone has from that gate's site alone.
func fuzz(_ input: [UInt8]) {
    var tap = PhoneTap(Script(input))
    tap.run()
}

private let sites = [TapSite("s", number: 1), TapSite("t", number: 2)]
private let ephemerals = Dictionary(uniqueKeysWithValues: [Curve.p256, .x25519].map { ($0, ephemeral(on: $0)) })

private func ephemeral(on curve: Curve) -> AgreementKey {
    guard let key = try? AgreementKey(rawPrivate: TapSite.raw(40, 1), curve: curve) else { fatalError("the key is good") }
    return key
}

private struct PhoneTap: ~Copyable {
    var script: Script
    var phone: NFCPhone
    let memberships: [PhoneMembership]
    /// What must become of the message_2 that is next.
    var fate = Fate.good

    init(_ given: Script) {
        var script = given
        let options = script.byte()
        let signs = options & 1 == 0
        let count = options & 2 == 0 ? 1 : 2
        let way = Int(options >> 4)
        memberships = sites.prefix(count).enumerated().map { Self.membership(of: $0.element, signs: signs, way: way + $0.offset) }
        phone = NFCPhone(
            identity: PhoneIdentity(memberships: memberships),
            settings: PhoneSettings(
                gateSigns: options & 4 == 0, suites: Self.suites(options), time: TapSite.now,
                connectionIdentifier: script.pick([[0x00], [0x2B], [], [0x18, 0x19]] as [[UInt8]])))
        self.script = script
    }

    /// Suites 5 and 6 where the way is beyond its five; 6 with method 0 alone.
    private static func suites(_ options: UInt8) -> [Int] {
        let bothSign = options & 5 == 0
        return switch (options >> 4, options & 8 == 0) {
        case (5...9, true): [5]
        case (5...9, false): [3, 5]
        case (10...14, true): bothSign ? [6] : [5]
        case (10...14, false): bothSign ? [5, 6] : [5, 2]
        case (_, true): [2]
        case (_, false): [3, 2]
        }
    }

    private static func membership(of site: TapSite, signs: Bool, way: Int) -> PhoneMembership {
        let token = (signs ? site.token : site.agreementToken).raw
        let enrolled = signs ? site.enrolled : site.enrolledAgreement
        let claims = ConfirmedKeyCredential(key: COSEKey(key: site.person.publicKey)).raw
        let credential: PhoneCredential = switch way % 5 {
        case 0: .token(token)
        case 1: .tokenReference(token)
        case 2: .keyIdentifier(enrolled.keyIdentifier, claims: enrolled.credential)
        case 3: .claims(enrolled.credential)
        default: .claims(claims)
        }
        let known = site.credentials.compactMap { try? KnownGate(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        let issuer = KnownGateIssuer(GateIssuer(site: site.name, name: "gates", key: site.gateIssuer.publicKey))
        return PhoneMembership(credential: credential, key: site.person(signs: signs), accompanyingToken: way % 5 == 4 ? token : nil,
                               gates: known, gateIssuers: [issuer])
    }

    mutating func run() {
        guard script.below(16) != 15 else { return babble() }
        let select = CommandAPDU(cla: 0x00, ins: PhoneProtocolProfile.selectInstruction, p1: PhoneProtocolProfile.selectByName, p2: 0,
                                 data: PhoneProtocolProfile.applicationIdentifier, expectedLength: 256)
        var message1 = SelectAnswer(parsing: send(select).data)?.message1
        for _ in 0..<3 {
            guard let message = message1 else { break }
            switch script.below(8) {
            case 6: message1 = receive(.error)
            case 7: message1 = receive(.nextMessage1)
            default:
                message1 = nil
                converse(message)
                if script.below(4) == 3 { message1 = receive(script.below(2) == 0 ? .error : .nextMessage1) }
            }
        }
        babble()
    }

    // Commands ---------------------------------------------------------------------------------------

    private mutating func send(_ command: CommandAPDU) -> ResponseAPDU { send(command.encoded) }

    /// One command and the whole answer to it.
    private mutating func send(_ command: [UInt8]) -> ResponseAPDU {
        var answer = parsed(phone.receive(command))
        var data = answer.data
        while answer.status.rawValue >> 8 == 0x61 {
            answer = parsed(phone.receive([0x00, 0xC0, 0x00, 0x00, 0x00]))
            data += answer.data
            must(data.count <= 4096, "an answer ends")
        }
        return ResponseAPDU(data: data, status: answer.status)
    }

    private func parsed(_ response: [UInt8]) -> ResponseAPDU {
        must((2...258).contains(response.count), "a response is short")
        guard let answer = try? ResponseAPDU(parsing: response) else { fatalError("a response is well formed") }
        return answer
    }

    private mutating func receive(_ kind: ExchangeKind) -> [UInt8]? {
        var data: [UInt8] = []
        if kind == .error {
            let error: EDHOCErrorMessage = script.pick([.unspecified("refused"), .unknownCredential, .wrongSuite([2]), .wrongSuite([3, 2])])
            data = error.encoded
            _ = script.alter(&data)
        }
        let answer = send(CommandAPDU(cla: 0x80, ins: 0xE2, p1: kind.rawValue, p2: 0, data: data, expectedLength: 256))
        return answer.status == .success && !answer.data.isEmpty ? answer.data : nil
    }

    /// Commands of all kinds, which come to nothing.
    private mutating func babble() {
        for _ in 0..<script.below(5) {
            let before = phone.result
            var command = script.pick([
                [0x80, 0xE2, 0x00, 0x00], [0x80, 0xE4, 0x00, 0x00], [0x90, 0xE2, 0x00, 0x00], [0x90, 0xE4, 0x00, 0x00],
                [0x80, 0xE2, 0x02, 0x00, 0x00], [0x00, 0xC0, 0x00, 0x00, 0x00], [0x80, 0xE2, 0x01, 0x00], []
            ] as [[UInt8]])
            if command.count == 4 {
                let data = script.bytes()
                command += [UInt8(data.count)] + data
            }
            _ = script.alter(&command)
            _ = parsed(phone.receive(command))
            if case .outcome(let outcome) = phone.result {
                guard case .outcome(outcome) = before else { fatalError("an outcome from nobody") }
            }
        }
    }

    // message_2 --------------------------------------------------------------------------------------

    private struct Shown {
        let identifier: CredentialIdentifier
        let credential: [UInt8]
        /// Which site's gate it is, if one's at all.
        var site: Int?
    }

    private mutating func chooseGate(signs: Bool) -> Shown {
        let index = memberships.count == 2 && script.below(2) == 1 ? 1 : 0
        let site = sites[index]
        let credential = site.credentials[signs ? 0 : 1]
        let token = (signs ? site.gateToken : site.gateAgreementToken).raw
        switch script.below(12) {
        case 0, 1: return Shown(identifier: CredentialIdentifier(keyIdentifier: credential.keyIdentifier), credential: credential.claims, site: index)
        case 2, 3: return Shown(identifier: CredentialIdentifier(token: token), credential: token, site: index)
        case 4:
            // A gate of a site that this phone does not know.
            let other = TapSite.stranger
            fate = .bad
            return Shown(identifier: CredentialIdentifier(token: other.gateToken.raw), credential: other.gateToken.raw, site: index)
        case 5:
            var raw = token
            if script.alter(&raw) { fate = .bad }
            return Shown(identifier: CredentialIdentifier(token: raw), credential: raw, site: index)
        case 6:
            fate = .bad
            return Shown(identifier: CredentialIdentifier(token: site.token.raw), credential: site.token.raw)
        case 7:
            fate = .bad
            return Shown(identifier: CredentialIdentifier(claims: credential.claims), credential: credential.claims, site: index)
        case 8:
            // The key for the other use.
            let other = site.credentials[signs ? 1 : 0]
            fate = .bad
            return Shown(identifier: CredentialIdentifier(keyIdentifier: other.keyIdentifier), credential: other.claims, site: index)
        case 9:
            fate = .bad
            let mine = site.enrolled
            return Shown(identifier: CredentialIdentifier(keyIdentifier: mine.keyIdentifier), credential: mine.credential)
        case 10:
            fate = fate.worse(.open)
            let map = script.bytes()
            guard let identifier = try? CredentialIdentifier(map: map) else {
                fate = .bad
                return Shown(identifier: CredentialIdentifier(claims: map), credential: map)
            }
            return Shown(identifier: identifier, credential: credential.claims, site: index)
        default:
            fate = .bad
            return Shown(identifier: CredentialIdentifier(keyIdentifier: script.bytes() + [0x77]), credential: credential.claims, site: index)
        }
    }

    private mutating func context() -> GateContext {
        let version = script.pick([1, 1, 1, 1, 1, 1, 1, 2])
        let carrier = script.pick([Carrier.nfc, .nfc, .nfc, .nfc, .nfc, .nfc, .nfc, .ble])
        if version != 1 || carrier != .nfc { fate = .bad }
        return GateContext(
            version: version, gateIdentifier: script.pick(["g", "gate"]), lane: script.pick(["lane", "l", "Größe"]), carrier: carrier,
            mode: script.pick([.onTouch, .classic]), time: Int64(script.byte()), cacheGeneration: UInt64(script.byte()),
            wantsSecondFactor: script.below(2) == 1)
    }

    private mutating func converse(_ message1: [UInt8]) {
        fate = .good
        guard let opening = try? Message1(parsing: message1), let method = EDHOCMethod(rawValue: opening.method),
              let suite = opening.suites.last.flatMap(CipherSuite.init(rawValue:)),
              let ephemeral = ephemerals[suite.agreementCurve],
              let point = try? PublicKey(curve: suite.agreementCurve, x: opening.point, y: nil),
              let secret = try? ephemeral.sharedSecret(with: point)
        else { fatalError("message_1 is good") }
        let signs = method.responderUsesSignature
        let shown = chooseGate(signs: signs)
        var items = script.items(ours: context().item)
        fate = fate.worse(items.fate)
        let ead = EADItem.encode(items.items) + items.raw
        items.items = []
        let transcript2 = KeySchedule.transcript2(responderPoint: ephemeral.publicKey.x, message1Hash: SHA256.hash(message1))
        let prk2e = KeySchedule.prk2e(transcript2: transcript2, sharedSecret: secret)
        let site = sites[shown.site ?? 0]
        let prk3e2m = signs ? prk2e : KeySchedule.prk3e2m(
            prk2e: prk2e, transcript2: transcript2, sharedSecret: (try? site.agreement.sharedSecret(with: point)) ?? [])
        let own: [UInt8] = script.pick([[0x00], [0x37], [0x40], [0x41, 0x80], [0x41, 0x00]] as [[UInt8]])
        if own == [0x41, 0x00] { fate = .bad }
        let context = ProofContext(prefix: own, identifier: shown.identifier.map, transcript: transcript2, credential: shown.credential, ead: ead)
        let proof = prove(context, prk3e2m, signs, suite, site)
        var plaintext = AuthenticatedPlaintext(connectionIdentifier: own, identifier: shown.identifier, proof: proof, eadField: ead).bytes
        let untouched = plaintext
        let intact = Self.message2(ephemeral, plaintext, prk2e, transcript2)
        _ = script.alter(&plaintext)
        var message = Self.message2(ephemeral, plaintext, prk2e, transcript2)
        _ = script.alter(&message)
        // The same bit turned twice, inside and outside, is where it was: message_2 is a stream cipher.
        if message == intact { plaintext = untouched } else { fate = .bad }
        if message.count > 1024 { fate = .bad }
        let exchange = Exchange(
            method: method, suite: suite, site: shown.site, prk3e2m: prk3e2m,
            transcript3: KeySchedule.transcript(after: transcript2, plaintext: plaintext, credential: shown.credential))
        hand(message, exchange)
    }

    private static func message2(_ ephemeral: AgreementKey, _ plaintext: [UInt8], _ prk2e: [UInt8], _ transcript2: [UInt8]) -> [UInt8] {
        CBOR.bytes(ephemeral.publicKey.x + KeySchedule.cipher2(plaintext, prk2e: prk2e, transcript2: transcript2)).encoded
    }

    private mutating func prove(_ context: ProofContext, _ prk: [UInt8], _ signs: Bool, _ suite: CipherSuite, _ site: TapSite) -> [UInt8] {
        let length = suite.macLength(underSignature: signs)
        let key: AuthenticationKey = signs ? .signing(site.signing) : .agreement(site.agreement)
        switch script.below(8) {
        case 6:
            fate = .bad
            return script.bytes()
        case 7:
            fate = .bad
            let mac = context.mac(signs ? prk : context.transcript, .mac2, length: length)
            return (try? context.prove(mac: mac, key: signs ? .signing(site.eve) : key)) ?? []
        default:
            return (try? context.prove(mac: context.mac(prk, .mac2, length: length), key: key)) ?? []
        }
    }

    // message_3 and OUTCOME --------------------------------------------------------------------------

    /// What both sides agree on.
    private struct Exchange {
        let method: EDHOCMethod
        let suite: CipherSuite
        let site: Int?
        let prk3e2m: [UInt8]
        let transcript3: [UInt8]
    }

    /// Gives message_2 to the phone, in one command or several.
    private mutating func hand(_ message: [UInt8], _ exchange: Exchange) {
        let chain = CommandChain(CommandAPDU(cla: 0x80, ins: 0xE2, data: message, expectedLength: 256)).commands
        for link in chain.dropLast() { _ = send(link) }
        guard let last = chain.last else { fatalError("a command has a part") }
        let answer = send(last)
        guard answer.status == .success, !answer.data.isEmpty else {
            must(fate != .good, "a good gate is declined")
            must(answer.data.isEmpty && phone.gate == nil, "a phone that declines says nothing")
            return
        }
        must(fate != .bad, "a bad gate is answered")
        read(answer.data, exchange)
    }

    /// The phone has said who it is: something of that gate's site, and nothing of another.
    private mutating func read(_ message3: [UInt8], _ exchange: Exchange) {
        guard let index = exchange.site, memberships.indices.contains(index) else { fatalError("no gate is answered") }
        let signs = exchange.method.initiatorUsesSignature
        let protection = MessageProtection.message3(exchange.suite, prk3e2m: exchange.prk3e2m, transcript3: exchange.transcript3)
        guard let opened = try? protection.open(message3),
              let plaintext = try? AuthenticatedPlaintext(
                parsing: opened, hasConnectionIdentifier: false, proofLength: exchange.suite.proofLength(isSignature: signs))
        else {
            // A gate whose credential is not what the phone has of it cannot read the answer.
            return must(fate == .open, "a good gate understands the answer")
        }
        let membership = memberships[index]
        let known = [membership.credential.identifier, membership.credential.byValue?.identifier].compactMap { $0?.map }
        must(known.contains(plaintext.identifier.map), "the credential is the one of the gate's site")
        let tokens = plaintext.ead.filter { $0.label == PhoneProtocolProfile.tokenLabel }.map(\.value)
        must(tokens == (membership.accompanyingToken.map { [$0] } ?? []), "and so is the token beside it")
        guard signs else { return }
        report(opened, membership.credential.bytes, exchange)
    }

    private mutating func report(_ plaintext3: [UInt8], _ credential: [UInt8], _ exchange: Exchange) {
        let transcript4 = KeySchedule.transcript(after: exchange.transcript3, plaintext: plaintext3, credential: credential)
        let session = EDHOCSession(suite: exchange.suite, prk4e3m: exchange.prk3e2m, transcript4: transcript4)
        var channel = ApplicationChannel.gateToPhone(session)
        let outcome = PhoneOutcome(
            result: script.pick([.granted, .refused, .failed]), reasonNumber: UInt64(script.byte()),
            retryAfterMilliseconds: script.below(2) == 1 ? UInt32(script.byte()) : nil, journalHead: script.below(2) == 1 ? script.bytes() : nil)
        var content = outcome.encoded
        let isAltered = script.alter(&content)
        guard var sealed = try? channel.seal(content) else { fatalError("everything can be sealed") }
        let isBroken = script.alter(&sealed)
        let chain = CommandChain(CommandAPDU(cla: 0x80, ins: 0xE4, data: sealed, expectedLength: 256)).commands
        for link in chain { _ = send(link) }
        switch phone.result {
        case .outcome(let heard):
            must(!isBroken, "a broken outcome is believed")
            must(isAltered || heard == outcome, "the outcome is another")
        case .refused, .stopped, nil:
            must(isBroken || isAltered || (outcome.journalHead?.count ?? 0) > 64, "a good outcome is not believed")
        }
    }
}

extension TapSite {
    static let stranger = TapSite("u", number: 3)
}
