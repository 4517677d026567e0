import Credentials
import Encoding
import PhoneProtocol

/// A phone that speaks good EDHOC and puts whatever a test wants around and into message_3.
struct RawPhone: ~Copyable {
    private var initiator: EDHOCInitiator
    private let gates: [PeerCredential]
    let message1: [UInt8]

    init(_ method: EDHOCMethod = .bothSign, gates: [PeerCredential], ead1: [EADItem] = [], suites: [Int] = [2]) throws {
        var initiator = EDHOCInitiator(
            method: method, suites: suites, connectionIdentifier: [0x05], ephemeral: try EphemeralKey.generate(for: .suite2))
        message1 = try initiator.makeMessage1(ead: ead1)
        self.initiator = consume initiator
        self.gates = gates
    }

    /// The response to SELECT.
    var selectAnswer: [UInt8] { ResponseAPDU(data: SelectAnswer(message1: message1).encoded).encoded }

    /// The response to EXCHANGE, in one part.
    mutating func answer(_ exchange: [UInt8], as own: OwnCredential, ead: [EADItem]) throws -> [UInt8] {
        ResponseAPDU(data: try message3(try CommandAPDU(parsing: exchange).data, as: own, ead: ead)).encoded
    }

    mutating func message3(_ message2: [UInt8], as own: OwnCredential, ead: [EADItem]) throws -> [UInt8] {
        _ = try initiator.receiveMessage2(message2)
        _ = try initiator.verifyMessage2(gates)
        return try initiator.makeMessage3(own, ead: ead)
    }
}

extension TestSite {
    var gatePeers: [PeerCredential] {
        knownGates.map { PeerCredential(credential: $0.claims, key: $0.key) }
    }

    /// What a gate does with a message_3 that carries this: the reason it stops for and the last command
    /// it sends, or the claim.
    func meet(
        _ own: OwnCredential, ead: [EADItem], ead1: [EADItem] = [], method: EDHOCMethod = .bothSign,
        knowing: ((Claim) -> [PeerCredential])? = nil
    ) throws -> Meeting {
        var gate = try gate(spare: false)
        var phone = try RawPhone(method, gates: gatePeers, ead1: ead1)
        _ = gate.start()
        var action = gate.receive(phone.selectAnswer)
        if case .sendFinal(let exchange, _) = action {
            action = gate.receive(try phone.answer(exchange, as: own, ead: ead))
        }
        var meeting = Meeting()
        if case .identify(let claim) = action {
            meeting.claim = claim
            guard case .refused(let reason) = gate.resolve((knowing ?? candidates)(claim)) else {
                meeting.isProved = true
                return meeting
            }
            meeting.reason = reason
            action = gate.refuse()
        }
        if case .send(let command) = action {
            meeting.lastCommand = command
            action = gate.receive([0x90, 0x00])
        }
        if case .finish(let end) = action { meeting.end = end }
        return meeting
    }

    /// The phone's credential for a token by value.
    func own(_ token: [UInt8]) -> OwnCredential {
        OwnCredential(
            identifier: CredentialIdentifier(token: token), credential: token, key: .signing(phoneSigning))
    }
}

struct Meeting {
    var claim: Claim?
    var isProved = false
    var reason: Reason?
    var lastCommand: [UInt8] = []
    var end: ConversationEnd?
}
