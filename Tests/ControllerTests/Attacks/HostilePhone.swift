import Credentials
import Encoding
import PhoneProtocol
import Readers
import Synchronization

/// A phone that speaks good EDHOC and says in it whatever a test wants, as a link.
final class HostilePhone: Link {
    private struct State: ~Copyable {
        var initiator: EDHOCInitiator?
        var commands: [[UInt8]] = []
    }

    private let method: EDHOCMethod
    private let suite: CipherSuite
    private let own: OwnCredential
    private let gates: [PeerCredential]
    private let ead: @Sendable (GateContext) -> [EADItem]
    private let state = Mutex(State())

    init(
        _ own: OwnCredential, method: EDHOCMethod = .bothSign, suite: CipherSuite = .suite2, gates: [PeerCredential],
        ead: @escaping @Sendable (GateContext) -> [EADItem] = { [PhoneRequest(carrier: $0.carrier, lane: $0.lane).item] }
    ) {
        self.own = own
        self.method = method
        self.suite = suite
        self.gates = gates
        self.ead = ead
    }

    func transmit(_ command: [UInt8]) throws(LinkError) -> [UInt8] {
        let response = state.withLock { state -> [UInt8]? in
            state.commands.append(command)
            return try? Self.answer(command, &state, method, suite, own, gates, ead)
        }
        return response ?? [0x69, 0x85]
    }

    private static func answer(
        _ bytes: [UInt8], _ state: inout State, _ method: EDHOCMethod, _ suite: CipherSuite, _ own: OwnCredential,
        _ gates: [PeerCredential], _ ead: (GateContext) -> [EADItem]
    ) throws -> [UInt8] {
        let command = try CommandAPDU(parsing: bytes)
        switch (command.ins, ExchangeKind(rawValue: command.p1)) {
        case (PhoneProtocolProfile.selectInstruction, _):
            var initiator = EDHOCInitiator(
                method: method, suites: [suite.rawValue], connectionIdentifier: [0x05], ephemeral: try EphemeralKey.generate(for: suite))
            let message1 = try initiator.makeMessage1()
            state.initiator = consume initiator
            return ResponseAPDU(data: SelectAnswer(message1: message1).encoded).encoded
        case (PhoneProtocolProfile.exchangeInstruction, .message):
            guard let claim = try state.initiator?.receiveMessage2(command.data) else { return [0x69, 0x85] }
            _ = try state.initiator?.verifyMessage2(gates)
            let context = claim.ead.compactMap(\.value).compactMap(GateContext.init(value:)).first
            guard let context, let message3 = try state.initiator?.makeMessage3(own, ead: ead(context)) else { return [0x69, 0x85] }
            return ResponseAPDU(data: message3).encoded
        default:
            return [0x90, 0x00]
        }
    }

    func close(atMonotonicMilliseconds deadline: Int64) {}

    func invalidate() {}

    /// What the gate sent.
    var commands: [[UInt8]] { state.withLock { $0.commands } }

    /// The gate's last word: the EDHOC error, if it was one.
    var refusal: EDHOCErrorMessage? {
        commands.last.flatMap { try? CommandAPDU(parsing: $0) }
            .flatMap { $0.ins == 0xE2 && $0.p1 == 1 ? try? EDHOCErrorMessage(parsing: $0.data) : nil }
    }
}

extension TestSite {
    var gatePeers: [PeerCredential] {
        get throws { try gates.map { PeerCredential(credential: $0.claims, key: $0.key) } }
    }
}
