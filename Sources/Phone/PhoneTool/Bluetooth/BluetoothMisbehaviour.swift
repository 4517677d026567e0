import VirtualPhone

/// What a phone does wrong on purpose over Bluetooth.
public enum BluetoothMisbehaviour: Hashable, Sendable {
    /// It goes while the gate is about to answer this step.
    case cutAt(TapPoint)
    /// It goes after this step.
    case cutAfter(TapPoint)
    /// It stays after this step and says nothing more.
    case silentAfter(TapPoint)
    /// It writes message_1 so often, one after the other.
    case flood(Int)
    /// It writes message_1 so often, without waiting for an answer.
    case burst(Int)
    /// It writes a value of so many bytes first.
    case long(Int)
    /// It writes message_1 with this offset first.
    case offset(Int)
    /// It reads before it has written anything.
    case earlyRead
    /// It writes so many bytes of noise first.
    case garbage(Int)
    /// It sends so many PDUs of noise first.
    case noise(Int)
    /// It waits so long before each step. Milliseconds.
    case slow(Int)

    private static let points = TapPoint.allCases.map(\.rawValue).joined(separator: ", ")
    private static let usualCount = 100
    private static let usualLength = 512
    private static let greatestNumber = 60_000

    /// The forms in which one can be written, with what they mean.
    public static var forms: [(form: String, meaning: String)] {
        [
            ("cut-after=STEP", "goes after this step: \(points)"),
            ("cut-at=STEP", "goes before the gate has answered this step"),
            ("silent-after=STEP", "stays after this step and says nothing more, until the gate lets it go"),
            ("flood[=N]", "writes message_1 N times, one after the other (default: \(usualCount))"),
            ("burst[=N]", "writes message_1 N times without waiting for an answer (default: \(usualCount))"),
            ("long[=N]", "writes a value of N bytes first (default: \(usualLength))"),
            ("offset[=N]", "writes message_1 with the offset N first (default: 1)"),
            ("early-read", "reads before it has written anything"),
            ("garbage[=N]", "writes N random bytes first (default: \(usualCount))"),
            ("noise[=N]", "sends N PDUs of random bytes first (default: \(usualCount))"),
            ("slow=MS", "waits MS milliseconds before each step")
        ]
    }

    /// Reads one of `forms`.
    public init(_ text: String) throws(PhoneToolError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let made = Self.make(parts[0], parts.count == 2 ? parts[1] : nil) else { throw .misbehaviour(text) }
        self = made
    }

    private static func make(_ name: String, _ value: String?) -> BluetoothMisbehaviour? {
        if let value, let point = TapPoint(rawValue: value) { return make(name, at: point) }
        let number = value.flatMap { Int($0) }
        guard value == nil || number.map((1...greatestNumber).contains) == true else { return nil }
        return switch (name, number) {
        case ("flood", let count): .flood(count ?? usualCount)
        case ("burst", let count): .burst(count ?? usualCount)
        case ("long", let length): .long(length ?? usualLength)
        case ("offset", let offset): .offset(offset ?? 1)
        case ("early-read", nil): .earlyRead
        case ("garbage", let length): .garbage(length ?? usualCount)
        case ("noise", let count): .noise(count ?? usualCount)
        case ("slow", let milliseconds?): .slow(milliseconds)
        default: nil
        }
    }

    private static func make(_ name: String, at point: TapPoint) -> BluetoothMisbehaviour? {
        switch name {
        case "cut-after": .cutAfter(point)
        // There is no answer to wait for yet.
        case "cut-at": point == .connect ? nil : .cutAt(point)
        case "silent-after": .silentAfter(point)
        default: nil
        }
    }
}

/// What a phone is to do on a link to a gate.
public struct BluetoothPlan: Sendable {
    /// What the phone says it can take; 23 asks for nothing.
    public var mtu: Int
    /// Where the value of the characteristic is, if that is known; nil finds it.
    public var handle: UInt16?
    /// The service in which it is.
    public var service: BluetoothUUID
    public var misbehaviour: BluetoothMisbehaviour?
    /// When it gives up: monotonic nanoseconds.
    public var deadline: Int64

    public init(
        mtu: Int = ATTLimits.greatestMTU, handle: UInt16? = nil, service: BluetoothUUID = GateService.onTouch.uuid,
        misbehaviour: BluetoothMisbehaviour? = nil, deadline: Int64
    ) {
        self.mtu = mtu
        self.handle = handle
        self.service = service
        self.misbehaviour = misbehaviour
        self.deadline = deadline
    }
}

/// What a phone does on its way through a tap over Bluetooth, step by step.
public enum TapPoint: String, CaseIterable, Sendable {
    /// It connects.
    case connect
    /// It writes message_1.
    case message1 = "message-1"
    /// It reads message_2.
    case message2 = "message-2"
    /// It writes message_3.
    case message3 = "message-3"
    /// It reads the outcome.
    case outcome
}
