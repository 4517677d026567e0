/// The field of one antenna with at most one phone in it, and everything that was said there.
struct Air {
    enum Outcome: Equatable {
        case frame(AirFrame)
        /// Nobody answered in time.
        case silence
        /// Nobody answered, and there is no time limit.
        case never
    }

    /// By the chip's clock: what is sent goes out now.
    var time: Int64 = 0
    /// Whether frames take their time.
    let isTimed: Bool
    var rate = AirRate.r106
    private(set) var phone: AirPhone?
    private(set) var isFieldOn = false
    private var records: [AirRecord] = []
    private var events: [CardEvent] = []

    /// The shortest pause between two frames (ISO/IEC 14443-3, 6.2.1): 1172 periods of 13.56 MHz.
    private static let pause: Int64 = 86_430

    init(isTimed: Bool) { self.isTimed = isTimed }

    mutating func present(_ phone: AirPhone) {
        remove()
        self.phone = phone
        self.phone?.field(isOn: isFieldOn, at: time)
    }

    mutating func remove() {
        guard phone != nil else { return }
        phone?.field(isOn: false, at: time)
        collect()
        phone = nil
        events.append(.gone)
    }

    mutating func setField(_ isOn: Bool) {
        guard isOn != isFieldOn else { return }
        isFieldOn = isOn
        rate = .r106
        record(isOn ? .fieldOn : .fieldOff)
        phone?.field(isOn: isOn, at: time)
        collect()
    }

    /// Sends one frame and waits for its answer; switches the field on where it is off.
    /// - Parameter patience: nanoseconds; nil waits for ever.
    mutating func exchange(_ frame: AirFrame, patience: Int64?) -> Outcome {
        setField(true)
        pass(rate.nanoseconds(of: frame))
        record(.sent(frame))
        let reply = phone?.receive(frame, at: time)
        collect()
        guard let reply, patience.map({ reply.computing <= $0 }) ?? true else {
            guard let patience else { return .never }
            pass(patience)
            return .silence
        }
        // What the phone computes is its own time, also where frames take none.
        time += reply.computing
        pass(Self.pause + rate.nanoseconds(of: reply.frame))
        record(.answered(reply.frame))
        return .frame(reply.frame)
    }

    /// Lets that time go by, where time counts.
    mutating func pass(_ nanoseconds: Int64) {
        if isTimed { time += nanoseconds }
    }

    mutating func drainRecords() -> [AirRecord] {
        defer { records = [] }
        return records
    }

    mutating func drainEvents() -> [CardEvent] {
        defer { events = [] }
        return events
    }

    private mutating func record(_ event: AirRecord.Event) {
        records.append(AirRecord(time: time, event: event))
    }

    private mutating func collect() {
        guard let told = phone?.drainEvents() else { return }
        events += told
        if phone?.hasLeft == true { phone = nil }
    }
}

/// Bit rates of ISO/IEC 14443 that the PN532 knows; the raw value is the one of PPS and InPSL.
enum AirRate: UInt8 {
    case r106 = 0
    case r212 = 1
    case r424 = 2

    /// One bit at 106 kbit/s is 128 periods of 13.56 MHz.
    private static let slowestBitNanoseconds: Int64 = 9_440

    func nanoseconds(of frame: AirFrame) -> Int64 {
        Int64(frame.bitCount) * (Self.slowestBitNanoseconds >> Int64(rawValue))
    }
}

/// What somebody with an antenna beside the reader would have seen.
public struct AirRecord: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        case fieldOn
        case fieldOff
        /// By the reader.
        case sent(AirFrame)
        /// By the phone.
        case answered(AirFrame)
    }

    /// By the chip's clock: nanoseconds from an arbitrary start. Of a frame: its end.
    public let time: Int64
    public let event: Event
}

/// What goes over the air in one piece, with its checksum where it has one.
public struct AirFrame: Hashable, Sendable {
    public let bytes: [UInt8]
    /// How many bits of the last byte are sent; 0 means all of them. 7 in the short frames REQA and WUPA.
    public let lastBits: Int

    public init(_ bytes: [UInt8], lastBits: Int = 0) {
        self.bytes = bytes
        self.lastBits = lastBits
    }

    /// A frame with its checksum behind the payload.
    init(checked payload: [UInt8]) {
        self.init(payload + CRCA.checksum(payload))
    }

    /// Without the checksum; nil when it is wrong, or there cannot be one.
    var payload: [UInt8]? {
        guard lastBits == 0, bytes.count > CRCA.length else { return nil }
        let payload = Array(bytes.dropLast(CRCA.length))
        return CRCA.checksum(payload) == Array(bytes.suffix(CRCA.length)) ? payload : nil
    }

    /// Bits on the air: each whole byte has a parity bit; one bit starts the frame (ISO/IEC 14443-3, 6.2.3).
    var bitCount: Int {
        lastBits == 0 ? 1 + bytes.count * 9 : 1 + max(0, bytes.count - 1) * 9 + lastBits
    }
}

/// A phone's answer on the air.
struct AirReply: Equatable {
    let frame: AirFrame
    /// What the phone computed before it answered, beyond the shortest pause between two frames.
    var computing: Int64 = 0
}
