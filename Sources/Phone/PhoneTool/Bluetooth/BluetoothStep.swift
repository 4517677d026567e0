import PhoneProtocol
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

    mutating func apply(refusal code: ATTErrorCode) {
        refusals += 1
        refusal = code
    }
}

/// One tap over Bluetooth, as the phone saw it. Microseconds.
public struct BluetoothRecord: Sendable {
    /// How the conversation ended; nil if it did not.
    public let result: PhoneResult?
    /// Why the link ended before the conversation did; nil if it did not, or if the phone let go on purpose.
    public let failure: BluetoothError?
    /// What was done, from the first request on.
    public let steps: [BluetoothStep]
    /// What the gate said of itself, once it proved its key.
    public let gate: GateContext?
    /// The longest PDU that both sides could take.
    public let mtu: Int
    /// Where the value of the characteristic is; nil if it was not found.
    public let handle: UInt16?
    /// When the phone was on the link, on the monotonic clock, and how long it stayed.
    public let began: Int64
    public let linked: Int64

    /// What it comes to.
    public var verdict: TapVerdict { TapVerdict(result) }

    /// Requests of all steps.
    public var requests: Int { steps.reduce(0) { $0 + $1.requests } }

    /// From the first write to the message_3 that the gate took; empty if it took none.
    public var proof: ArraySlice<BluetoothStep> {
        guard let first = steps.firstIndex(where: \.isWrite),
              let last = steps.lastIndex(where: { $0.kind == .write(.message3) && $0.isDone }) else { return [] }
        return steps[first...last]
    }

    /// How long that took.
    public var proofTime: Int64 { proof.last.map { $0.began + $0.took - (proof.first?.began ?? 0) } ?? 0 }

    /// From the link to the first write; nil if there was none.
    public var firstWrite: Int64? { steps.first(where: \.isWrite).map { $0.began - began } }
}
