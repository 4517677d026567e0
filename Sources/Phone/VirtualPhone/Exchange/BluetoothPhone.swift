import Credentials
import PhoneProtocol

/// The phone's side of onTouch over Bluetooth: it writes one characteristic of the gate and reads it. Nothing is touched:
/// `start`, then after each step what came of it. It is the reference for app authors (docs/phone-protocol.md).
public struct BluetoothPhone: ~Copyable {
    /// What to do next.
    public enum Step: Hashable, Sendable {
        /// Write this value, with response; then `wrote`.
        case write([UInt8])
        /// Read the value; then `received`.
        case read
        /// It is over.
        case finish(PhoneResult)
    }

    private var exchange: PhoneExchange
    /// What was written, until its answer is read.
    private var written: [UInt8] = []
    /// Every value written, with the value read after it; none after a last word.
    public private(set) var steps: [PhoneStep] = []

    /// What a phone that stops tells the gate, whatever the reason.
    public static let declined = Frame(.error, EDHOCErrorMessage.unspecified("declined").encoded).encoded

    public init(identity: PhoneIdentity, settings: PhoneSettings = PhoneSettings(carrier: .ble)) {
        exchange = PhoneExchange(identity: identity, settings: settings)
    }

    /// How the tap ended; nil as long as it has not.
    public var result: PhoneResult? { exchange.result }

    /// What the gate said of itself, once it proved its key in the latest exchange.
    public var gate: GateContext? { exchange.gate }

    /// Begins, with a new link too: whatever there was is over.
    public mutating func start() -> Step {
        steps = []
        written = []
        return carry(exchange.start())
    }

    /// The gate has taken the value.
    public mutating func wrote() -> Step {
        if let result { return leave(result) }
        return .read
    }

    /// Takes the value that was read. Never traps, whatever comes.
    public mutating func received(_ value: [UInt8]) -> Step {
        if let result { return .finish(result) }
        steps.append(PhoneStep(command: written, response: value))
        written = []
        guard let frame = Frame(parsing: value) else { return decline(.frame) }
        switch (frame.kind, exchange.stage) {
        case (.message, .offered): return answer(exchange.receiveMessage2(frame.payload))
        case (.error, .offered), (.error, .answered): return carry(exchange.receiveError(frame.payload))
        case (.outcome, .answered): return carry(exchange.receiveOutcome(frame.payload))
        case (.message, .idle), (.message, .answered), (.message, .over), (.error, .idle), (.error, .over),
             (.outcome, .idle), (.outcome, .offered), (.outcome, .over):
            return decline(.frame)
        }
    }

    /// message_3, or word to the gate that none will come.
    private mutating func answer(_ reply: PhoneReply) -> Step {
        guard case .end = reply else { return carry(reply) }
        return write(Self.declined)
    }

    private mutating func decline(_ stop: PhoneStop) -> Step { answer(exchange.stop(stop)) }

    /// Puts what is to be said into a value.
    private mutating func carry(_ reply: PhoneReply) -> Step {
        switch reply {
        case .message1(let message), .message3(let message):
            guard message.count <= Frame.maximumPayload else { return decline(.tooLong) }
            return write(Frame(.message, message).encoded)
        case .end(let result):
            return .finish(result)
        }
    }

    private mutating func write(_ value: [UInt8]) -> Step {
        written = value
        return .write(value)
    }

    /// The last word was taken; nothing is read after it.
    private mutating func leave(_ result: PhoneResult) -> Step {
        if !written.isEmpty { steps.append(PhoneStep(command: written, response: [])) }
        written = []
        return .finish(result)
    }
}

/// One command and its response, as the phone saw them; over Bluetooth a value written, and the one read after it.
public struct PhoneStep: Hashable, Sendable {
    public let command: [UInt8]
    public let response: [UInt8]

    /// Bytes in both directions, without block framing.
    public var byteCount: Int { command.count + response.count }
}
