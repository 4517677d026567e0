import VirtualPhone

/// One thing that the phone did at the gate, with all requests that it took. Microseconds.
public struct BluetoothStep: Hashable, Sendable {
    public var kind: Kind
    /// How many requests it took.
    public var requests = 0
    /// Bytes of all PDUs in both directions.
    public var byteCount = 0
    /// When it began, on the monotonic clock.
    public let began: Int64
    /// How long it took.
    public var took: Int64 = 0
    /// How often the gate refused it: once, but for what is done many times on purpose.
    public var refusals = 0
    /// What it refused it with last, where that is known.
    public var refusal: ATTErrorCode?

    /// Whether it came to its end: the gate took it.
    public var isDone = false

    /// Whether a value of the conversation was written.
    var isWrite: Bool {
        if case .write = kind { true } else { false }
    }

    /// What it was.
    public enum Kind: Hashable, Sendable {
        case exchangeMTU
        case find
        case write(Value)
        case read(Value)
        /// Something wrong on purpose.
        case fault
    }

    /// What was in the value.
    public enum Value: String, Hashable, Sendable {
        case message1 = "message_1"
        case message2 = "message_2"
        case message3 = "message_3"
        case error
        case outcome
        /// Something else, or nothing.
        case other = "nothing"
    }

    /// What it is called.
    public var name: String {
        switch kind {
        case .exchangeMTU: "MTU"
        case .find: "FIND"
        case .write(let value): "WRITE \(value.rawValue)"
        case .read(let value): "READ \(value.rawValue)"
        case .fault: "FAULT"
        }
    }

    mutating func take(refusal code: ATTErrorCode) {
        refusals += 1
        refusal = code
    }
}
