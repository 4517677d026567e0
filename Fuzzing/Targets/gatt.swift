// with: Fuzzing/Taps/*.swift
// with: Sources/Phone/VirtualPhone/Exchange/!(PhoneCard).swift
@testable import PhoneProtocol
import Credentials
import Cryptography
import Encoding

/// A tap over Bluetooth between gate and phone. The fuzzer is what lies between them: it alters, repeats, replaces and inserts
/// values in both directions, and reads when it likes. As long as it leaves everything as it is the phone must be granted;
/// nothing is ever proved that the phone did not say, and nothing told but what the protocol has. Whatever of the carrier's own
/// encodings the input is, it is read as written.
func fuzz(_ input: [UInt8]) {
    parse(input)
    var air = Air(Script(input))
    air.run()
}

private func parse(_ input: [UInt8]) {
    if let frame = Frame(parsing: input) {
        must(frame.encoded == input, "a frame has one form")
        must(frame.payload.count <= Frame.maximumPayload, "and is short")
    }
    if let requestedLane = RequestedLane(value: input) {
        must(requestedLane.item.value == input, "a request has one form")
    }
    if let requestedLane = RequestedLane(message1: input) {
        must(!requestedLane.lane.isEmpty, "a requested lane has a name")
    }
}

private let site = TapSite("s", number: 1)
private let ephemerals = keys(on: .p256)
private let otherEphemerals = keys(on: .x25519)

private func keys(on curve: Curve) -> [AgreementKey] {
    guard let keys = try? [50, 51].map({ try AgreementKey(rawPrivate: TapSite.raw($0, 1), curve: curve) }) else {
        fatalError("the keys are good")
    }
    return keys
}

private struct Air: ~Copyable {
    var script: Script
    var gate: BluetoothGateConversation
    var phone: BluetoothPhone
    let lanes: [String]
    /// The lane that the phone asks for, unless more than one request is in message_1.
    let requestedLane: String?
    let knowsReference: Bool
    /// Everything that the gate may say to a phone that it refuses.
    let refusals: [[UInt8]]
    /// Whether anything was other than the two sides said and did.
    var isDisturbed = false
    /// Everything that the phone wrote, and what could be read.
    var said: [[UInt8]] = []
    var heard: [[UInt8]] = []
    /// The lane taken.
    var taken: Int?
    var told: PhoneOutcome?
    var end: ConversationEnd?

    init(_ given: Script) {
        var script = given
        let signs = script.below(2) == 0
        let way = script.below(4)
        lanes = Array(["main", "side", "rear"].prefix(3 - script.below(3)))
        let requested = script.pick([nil, "main", "side", "rear", "nowhere"])
        knowsReference = script.below(2) == 0
        let ours = script.pick([[.suite2, .suite3], [.suite2], [.suite3], [.suite5, .suite6], CipherSuite.ofGates, [.suite5]] as [[CipherSuite]])
        let theirs = script.pick([[2], [3, 2], [6, 2, 3], [2, 3], [6], [5], [6, 5], [5, 2]])
        let items = script.below(8) == 7 ? [EADItem(label: PhoneProtocolProfile.requestedLaneLabel, isCritical: false, value: script.bytes())] : []
        requestedLane = items.isEmpty ? requested : nil
        let kind = script.byte()
        gate = Self.gate(lanes: lanes, suites: ours, isByValue: kind & 1 != 0)
        phone = Self.phone(
            signs: signs, way: way,
            PhoneSettings(
                gateSigns: kind & 2 == 0, suites: theirs, carrier: kind & 4 == 0 ? .ble : .nfc, time: TapSite.now, requestedLane: requested,
                moreItems1: items, isUnlocked: kind & 8 != 0))
        // Suite 6 goes with method 0 alone.
        let named = ours.map(\.rawValue).filter { $0 != 6 || (signs && kind & 2 == 0) }
        isDisturbed = kind & 4 != 0 || !theirs.contains(where: named.contains)
        refusals = Self.refusals(ours.map(\.rawValue))
        self.script = script
    }

    private static func gate(lanes: [String], suites: [CipherSuite], isByValue: Bool) -> BluetoothGateConversation {
        let named = site.credentials.map { GateKeys.Credential(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        let shown = isByValue ? [GateKeys.Credential(site.gateToken), GateKeys.Credential(site.gateAgreementToken)] : named
        do {
            let offers = try lanes.map {
                try GateOffer(gateIdentifier: "g", lane: $0, carrier: .ble, methods: EDHOCMethod.allCases, suites: suites)
            }
            return BluetoothGateConversation(
                offers: offers, keys: GateKeys(signing: (site.signing, shown[0]), agreement: (site.agreement, shown[1])),
                ephemeral: EphemeralKey(known: ephemerals[0], alternative: otherEphemerals[0]),
                spare: EphemeralKey(known: ephemerals[1], alternative: otherEphemerals[1]))
        } catch {
            fatalError("the offers are good")
        }
    }

    private static func phone(signs: Bool, way: Int, _ settings: PhoneSettings) -> BluetoothPhone {
        let token = (signs ? site.token : site.agreementToken).raw
        let enrolled = signs ? site.enrolled : site.enrolledAgreement
        let credential: PhoneCredential = switch way {
        case 0: .token(token)
        case 1: .tokenReference(token)
        case 2: .keyIdentifier(enrolled.keyIdentifier, claims: enrolled.credential)
        default: .claims(enrolled.credential)
        }
        let known = site.credentials.compactMap { try? KnownGate(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        let issuer = KnownGateIssuer(GateIssuer(site: site.name, name: "gates", key: site.gateIssuer.publicKey))
        return BluetoothPhone(
            identity: PhoneIdentity(credential: credential, key: site.person(signs: signs), gates: known, gateIssuers: [issuer]),
            settings: settings)
    }

    mutating func run() {
        var step = phone.start()
        for _ in 0..<32 {
            switch step {
            case .write(let value):
                said.append(value)
                carry(value)
                step = phone.wrote()
            case .read:
                guard let value = receive() else { return finish(nil) }
                step = phone.received(value)
            case .finish(let result):
                return finish(result)
            }
        }
        fatalError("a tap ends")
    }

    // What is written --------------------------------------------------------------------------------

    /// Brings what the phone wrote to the gate, or something else.
    private mutating func carry(_ value: [UInt8]) {
        var sent = value
        switch script.below(16) {
        case 9: insert(script.bytes())
        case 10: insert(script.pick(said))
        case 11: insert([script.byte()] + script.bytes())
        case 12: return isDisturbed = true
        case 13: sent = script.bytes()
        case 14: insert(value)
        default: _ = script.alter(&sent)
        }
        if sent != value { isDisturbed = true }
        write(sent)
    }

    private mutating func insert(_ value: [UInt8]) {
        isDisturbed = true
        write(value)
    }

    private mutating func write(_ value: [UInt8]) {
        let before = gate.read()
        switch gate.write(value) {
        case .accept:
            must(end == nil, "what is over stays so")
        case .acceptFinal(let offer, let transcript):
            must(end == nil, "what is over stays so")
            must(transcript.count == 32, "a transcript is a hash")
            handle(offer)
        case .identify(let claim):
            must(end == nil, "what is over stays so")
            must(gate.read() == nil, "nothing is ready while the gate decides")
            identify(claim, value)
        case .finish(let now):
            if end == nil { return conclude(now) }
            must(gate.read() == before, "what could be read stays")
        }
    }

    private mutating func handle(_ offer: Int) {
        must(lanes.indices.contains(offer), "a lane that is offered is taken")
        must(taken == nil || taken == offer, "and stays taken")
        if !isDisturbed, let requestedLane, let index = lanes.firstIndex(of: requestedLane) {
            must(offer == index, "a request for it is heard")
        }
        taken = offer
    }

    private mutating func identify(_ claim: Claim, _ value: [UInt8]) {
        must(said.contains(value), "only the phone can have encrypted this")
        if script.below(16) == 15 {
            insert(script.bytes())
        }
        switch gate.resolve(candidates(claim)) {
        case .proved(let proof):
            must(said.contains(value) && proof.claim.request.carrier == .ble, "only the phone proves anything, and here")
            must(taken.map { lanes[$0] } == proof.claim.request.lane, "and for this lane")
            let outcome = PhoneOutcome(
                result: .granted, reason: .granted, journalHead: script.below(2) == 0 ? nil : [UInt8](repeating: 7, count: 32))
            told = outcome
            conclude(gate.outcome(outcome))
        case .refused:
            conclude(gate.refuse())
        }
    }

    private func candidates(_ claim: Claim) -> [PeerCredential] {
        guard let presented = claim.presented else { return [] }
        let enrolled = [site.enrolled, site.enrolledAgreement]
        switch presented {
        case .token, .tokenBesideKey, .tokenBesideReference: return presented.candidates(enrolled: [])
        case .key(let claims): return presented.candidates(enrolled: enrolled.filter { $0.key == claims.key.key })
        case .keyIdentifier(let kid):
            let tokens = [site.token, site.agreementToken].filter { knowsReference && $0.identifier.reference == kid }
            return presented.candidates(enrolled: enrolled.filter { $0.keyIdentifier == kid })
                + tokens.map { PeerCredential(credential: $0.raw, key: site.person.publicKey) }
        }
    }

    private mutating func conclude(_ action: BluetoothGateConversation.Action) {
        if case .finish(let end) = action { conclude(end) }
    }

    private mutating func conclude(_ now: ConversationEnd) { end = end ?? now }

    // What is read -----------------------------------------------------------------------------------

    /// `(1, "refused")`, `(3, true)` and `(2, SUITES_R)` with what the lanes here offer, all of it or what goes with keys that agree.
    private static func refusals(_ suites: [Int]) -> [[UInt8]] {
        let errors = [suites, suites.filter { $0 != 6 }].map { EDHOCErrorMessage.wrongSuite($0).encoded }
        return [[0x01, 0x67] + Array("refused".utf8), [0x03, 0xF5]] + errors
    }

    /// What the phone reads, or something else.
    private mutating func receive() -> [UInt8]? {
        guard var value = gate.read() else {
            must(isDisturbed, "there is something to read")
            return nil
        }
        must(gate.read() == value, "a repeated read gives the same")
        guard let frame = Frame(parsing: value) else { fatalError("what is read is a frame") }
        must(frame.kind != .error || refusals.contains(frame.payload), "a refusal says nothing but that")
        must(frame.kind != .outcome || told != nil, "an outcome comes after a proof")
        heard.append(value)
        let whole = value
        switch script.below(8) {
        case 5: value = script.pick(heard)
        case 6: value = script.bytes()
        default: _ = script.alter(&value)
        }
        if value != whole { isDisturbed = true }
        return value
    }

    // The end ----------------------------------------------------------------------------------------

    private mutating func finish(_ result: PhoneResult?) {
        if case .outcome(let outcome) = result {
            must(outcome == told, "what the phone believes is what it was told")
        }
        if let told, !isDisturbed {
            must(result == .outcome(told), "the phone has its outcome")
            must(gate.end == .outcomeTold, "and the gate knows")
        }
        must(isDisturbed || told != nil, "an honest phone is granted: \(String(describing: result))")
        guard let end else { return }
        let (again, readable) = (gate.write([0x00, 0x00]), gate.read())
        must(again == .finish(gate.end ?? end), "what is over stays so")
        must(gate.read() == readable, "and can still be read")
        guard case .refused(.internalError) = gate.resolve([]) else { fatalError("nothing is proved after the end") }
    }
}
