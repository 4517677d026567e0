import Credentials
import Encoding
import PhoneProtocol

/// Who answers a gate's commands.
enum Partner {
    /// A person's phone.
    case phone(Phone)
    /// A phone of the adversary's that keeps to the protocol.
    case own(OwnPhone)
    /// The adversary, who lies in properly encrypted messages.
    case liar(Liar)

    func receive(_ command: [UInt8], in run: Run) throws -> [UInt8] {
        switch self {
        case .phone(let phone): try phone.receive(command, in: run)
        case .own(let own): own.receive(command)
        case .liar(let liar): liar.receive(command, in: run)
        }
    }
}

/// A phone of the adversary's that keeps to the protocol.
final class OwnPhone {
    private var phone: NFCPhone

    init(_ phone: consuming NFCPhone) { self.phone = phone }

    func receive(_ command: [UInt8]) -> [UInt8] { phone.receive(command) }
}

/// Speaks good EDHOC as initiator and says in it whatever it likes.
final class Liar {
    private let method: EDHOCMethod
    private let victim: Person
    private var initiator: EDHOCInitiator?

    init(_ method: EDHOCMethod, instead victim: Person) {
        self.method = method
        self.victim = victim
    }

    func receive(_ command: [UInt8], in run: Run) -> [UInt8] {
        guard let parsed = try? CommandAPDU(parsing: command) else { return [0x67, 0x00] }
        switch (parsed.ins, ExchangeKind(rawValue: parsed.p1)) {
        case (PhoneProtocolProfile.selectInstruction, _):
            return begin(run).map { ResponseAPDU(data: SelectAnswer(message1: $0).encoded).encoded } ?? [0x6A, 0x82]
        case (PhoneProtocolProfile.exchangeInstruction, .message):
            return claim(parsed.data, run).map { ResponseAPDU(data: $0).encoded } ?? [0x69, 0x85]
        case (PhoneProtocolProfile.exchangeInstruction, _):
            return begin(run).map { ResponseAPDU(data: $0).encoded } ?? [0x69, 0x85]
        default:
            return [0x90, 0x00]
        }
    }

    private func begin(_ run: Run) -> [UInt8]? {
        let suite: CipherSuite = run.dice.pick(method == .bothSign ? CipherSuite.ofGates : [.suite2, .suite3, .suite5])
        guard let key = try? EphemeralKey.generate(for: suite) else { return nil }
        var initiator = EDHOCInitiator(method: method, suites: [suite.rawValue], connectionIdentifier: [0x07], ephemeral: key)
        let ead = run.dice.happens(5) ? [EADItem(label: 4711, isCritical: true, value: nil)] : []
        let message = try? initiator.makeMessage1(ead: ead)
        self.initiator = consume initiator
        return message
    }

    private func claim(_ message2: [UInt8], _ run: Run) -> [UInt8]? {
        let eve = run.town.eve
        let own = eve.falsePerson(&run.dice, instead: victim, signs: method.initiatorUsesSignature)
        let peers = run.town.sites.flatMap(\.known).map { PeerCredential(credential: $0.claims, key: $0.key) }
        do {
            guard let claim = try initiator?.receiveMessage2(message2) else { return nil }
            let named = peers.filter { CredentialIdentifier.names($0, claim.identifier) }
            _ = try initiator?.verifyMessage2(named.isEmpty ? peers : named)
            return try initiator?.makeMessage3(own, ead: lies(about: claim.ead, run))
        } catch {
            return nil
        }
    }

    /// EAD_3 with true or other places, commands and items.
    private func lies(about ead: [EADItem], _ run: Run) -> [EADItem] {
        let context = ead.compactMap(\.value).compactMap(GateContext.init(value:)).first
        let lane = run.dice.happens(70) ? context?.lane ?? "north" : run.dice.pick(["north", "south", "cellar"])
        let request = PhoneRequest(carrier: run.dice.happens(85) ? context?.carrier ?? .nfc : .ble, lane: lane,
                                   namedCommand: run.dice.happens(80) ? nil : "arm", isForeground: true)
        var items = [request.item]
        switch run.dice.below(12) {
        case 0: items.append(EADItem(label: 4712, isCritical: true, value: [1]))
        case 1: items.append(request.item)
        case 2: items = []
        case 3: items = [EADItem(label: PhoneProtocolProfile.phoneRequestLabel, isCritical: false, value: request.item.value)]
        case 4, 5: items.append(EADItem(label: PhoneProtocolProfile.tokenLabel, isCritical: true, value: token(run)))
        default: break
        }
        return items
    }

    private func token(_ run: Run) -> [UInt8] {
        if run.dice.happens(50) { return run.town.eve.token.raw }
        return victim.anyHome(&run.dice)?.home.token?.raw ?? run.town.eve.token.raw
    }
}

extension CredentialIdentifier {
    /// Whether a gate's credential may be meant.
    fileprivate static func names(_ peer: PeerCredential, _ identifier: CredentialIdentifier) -> Bool {
        guard case .keyIdentifier(let kid) = identifier.kind else { return false }
        return (try? ConfirmedKeyCredential(parsing: peer.credential))?.key.keyIdentifier == kid
    }
}
