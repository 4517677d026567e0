import Cryptography
import Encoding
import PhoneProtocol

/// The phone's side of onTouch over NFC: a card that takes command APDUs and gives responses. It is
/// the reference for app authors (docs/phone-protocol.md).
public struct NFCPhone: ~Copyable {
    private let settings: PhoneSettings
    private var exchange: PhoneExchange
    /// The links of a command that is not complete.
    private var chain = CommandCollector(limit: PhoneProtocolProfile.maximumCommandData)
    private var answer = ResponseSplitter([])
    /// Every command since the phone was selected.
    public private(set) var steps: [PhoneStep] = []

    /// The one status word for whatever the phone does not accept.
    public static let declined = StatusWord.conditionsNotSatisfied

    public init(identity: PhoneIdentity, settings: PhoneSettings = PhoneSettings()) {
        self.settings = settings
        exchange = PhoneExchange(identity: identity, settings: settings)
    }

    /// How the tap ended; nil as long as it has not.
    public var result: PhoneResult? { exchange.result }

    /// What the gate said of itself, once it proved its key in the latest exchange.
    public var gate: GateContext? { exchange.gate }

    /// The field is gone: whatever there was is over. `result` stays until the next SELECT.
    public mutating func fieldLost() {
        exchange.forget()
        answer = ResponseSplitter([])
        chain = CommandCollector(limit: PhoneProtocolProfile.maximumCommandData)
    }

    /// Takes a command APDU and gives the response APDU. Never traps, whatever comes.
    public mutating func receive(_ command: [UInt8]) -> [UInt8] {
        let response = respond(to: command).encoded
        steps.append(PhoneStep(command: command, response: response))
        return response
    }

    private mutating func respond(to bytes: [UInt8]) -> ResponseAPDU {
        guard let command = try? CommandAPDU(parsing: bytes) else { return ResponseAPDU(status: .wrongLength) }
        if command.ins != ResponseCollector.getResponse { answer = ResponseSplitter([]) }
        switch (command.cla, command.ins) {
        case (PhoneProtocolProfile.interindustryClass, PhoneProtocolProfile.selectInstruction):
            return select(command)
        case (PhoneProtocolProfile.interindustryClass, ResponseCollector.getResponse),
             (PhoneProtocolProfile.proprietaryClass, ResponseCollector.getResponse):
            guard !answer.isEmpty else { return ResponseAPDU(status: Self.declined) }
            return answer.next(expectedLength: command.expectedLength)
        case (PhoneProtocolProfile.proprietaryClass, PhoneProtocolProfile.exchangeInstruction),
             (PhoneProtocolProfile.proprietaryClass, PhoneProtocolProfile.outcomeInstruction),
             (PhoneProtocolProfile.proprietaryClass | CommandChain.chainingBit, PhoneProtocolProfile.exchangeInstruction),
             (PhoneProtocolProfile.proprietaryClass | CommandChain.chainingBit, PhoneProtocolProfile.outcomeInstruction):
            return collect(command)
        case (PhoneProtocolProfile.interindustryClass, _), (PhoneProtocolProfile.proprietaryClass, _):
            return ResponseAPDU(status: .insNotSupported)
        default:
            return ResponseAPDU(status: .claNotSupported)
        }
    }

    /// Puts the links of a chained command together (ISO/IEC 7816-4, 5.3.3).
    private mutating func collect(_ link: CommandAPDU) -> ResponseAPDU {
        if case .idle = exchange.stage { return ResponseAPDU(status: Self.declined) }
        guard let action = try? chain.receive(link) else { return carry(exchange.stop(.chain)) }
        switch action {
        case .acknowledge: return ResponseAPDU()
        case .complete(let command):
            return command.ins == PhoneProtocolProfile.exchangeInstruction ? handle(command) : handleOutcome(command)
        }
    }

    private mutating func select(_ command: CommandAPDU) -> ResponseAPDU {
        guard command.p1 == PhoneProtocolProfile.selectByName, command.data == PhoneProtocolProfile.applicationIdentifier else {
            fieldLost()
            return ResponseAPDU(status: .fileNotFound)
        }
        steps = []
        chain = CommandCollector(limit: PhoneProtocolProfile.maximumCommandData)
        let reply = exchange.start()
        guard case .message1(let message) = reply else { return carry(reply) }
        let version = UInt8(truncatingIfNeeded: settings.version)
        return answer(with: SelectAnswer(versions: [version], message1: message).encoded)
    }

    private mutating func handle(_ command: CommandAPDU) -> ResponseAPDU {
        switch (ExchangeKind(rawValue: command.p1), exchange.stage) {
        case (nil, _): return ResponseAPDU(status: .wrongP1P2)
        case (.message, .offered): return carry(exchange.receiveMessage2(command.data))
        case (.error, .offered), (.error, .answered): return carry(exchange.receiveError(command.data))
        case (.nextMessage1, .offered), (.nextMessage1, .answered), (.nextMessage1, .over): return carry(exchange.begin())
        case (.message, .idle), (.message, .answered), (.message, .over),
             (.error, .idle), (.error, .over), (.nextMessage1, .idle):
            return ResponseAPDU(status: Self.declined)
        }
    }

    private mutating func handleOutcome(_ command: CommandAPDU) -> ResponseAPDU {
        guard case .answered = exchange.stage else { return ResponseAPDU(status: Self.declined) }
        return carry(exchange.receiveOutcome(command.data))
    }

    /// Puts what is to be said into a response.
    private mutating func carry(_ reply: PhoneReply) -> ResponseAPDU {
        switch reply {
        case .message1(let message), .message3(let message): answer(with: message)
        case .end(.outcome): ResponseAPDU()
        case .end(.refused): answer(with: [])
        case .end(.stopped): ResponseAPDU(status: Self.declined)
        }
    }

    private mutating func answer(with data: [UInt8]) -> ResponseAPDU {
        answer = ResponseSplitter(data, partCount: settings.partCount)
        return answer.next()
    }
}
