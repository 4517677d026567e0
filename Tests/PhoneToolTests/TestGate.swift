import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import PhoneTool
import VirtualPhone

/// A gate that a phone in the same process taps at: the gate's side of the conversation and nothing else.
struct TestGate {
    let signing: SigningKey
    let agreement: AgreementKey
    let keys: GateKeys
    /// What phones need: the file that the authority writes.
    let knownGates: [UInt8]
    /// A byte each: two gates have the same by chance now and then.
    let identifiers: Set<[UInt8]>

    /// A gate with other identifiers than these.
    static func other(than gate: TestGate) throws -> TestGate {
        var other = try TestGate()
        for _ in 0..<100 where !other.identifiers.isDisjoint(with: gate.identifiers) { other = try TestGate() }
        return other
    }

    init() throws {
        signing = try SigningKey.generate(.p256)
        agreement = try AgreementKey.generate(.p256)
        let credentials = [signing.publicKey, agreement.publicKey].map { GateCredential(site: "north", key: $0) }
        let named = credentials.map { GateKeys.Credential(keyIdentifier: $0.keyIdentifier, claims: $0.claims) }
        keys = GateKeys(signing: (signing, named[0]), agreement: (agreement, named[1]))
        knownGates = credentials.flatMap(\.claims)
        identifiers = Set(credentials.map(\.keyIdentifier))
    }

    /// One presentation as a reader would do it; every answer reaches the reader.
    /// - Parameters:
    ///   - enrolled: the keys known here.
    ///   - outcome: what to tell a phone that proves itself.
    @discardableResult
    func serve(_ card: TapCard, enrolled: [EnrolledKey] = [],
               outcome: PhoneOutcome = PhoneOutcome(result: .granted, reason: .granted)) throws -> ConversationEnd {
        var gate = NFCGateConversation(
            offer: try GateOffer(gateIdentifier: "gate-1", lane: "entry", carrier: .nfc, methods: EDHOCMethod.allCases)
                .at(time: 1_738_310_400, cacheGeneration: 3),
            keys: keys, ephemeral: try EphemeralKey.generateOnBothCurves(), spare: try EphemeralKey.generateOnBothCurves())
        card.handle(.powered)
        var action = gate.start()
        while true {
            switch action {
            case .send(let command), .sendFinal(let command, _):
                card.handle(.command(command))
                let answer = card.receive(command)
                card.handle(.answered)
                action = gate.receive(answer)
            case .identify(let claim):
                let candidates = claim.presented?.candidates(enrolled: enrolled) ?? []
                switch gate.resolve(candidates) {
                case .proved: action = gate.outcome(outcome)
                case .refused: action = gate.refuse()
                }
            case .finish(let end): return end
            }
        }
    }
}

/// The result that a card has now. Nobody else is at work in these tests, so that waiting is over at once.
func result(of card: TapCard) -> TapRecord? {
    if case .ended(let record) = card.wait(untilNanoseconds: 0) { record } else { nil }
}
