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

    mutating func takeRecords() -> [AirRecord] {
        defer { records = [] }
        return records
    }

    mutating func takeEvents() -> [CardEvent] {
        defer { events = [] }
        return events
    }

    private mutating func record(_ event: AirRecord.Event) {
        records.append(AirRecord(time: time, event: event))
    }

    private mutating func collect() {
        guard let told = phone?.takeEvents() else { return }
        events += told
        if phone?.hasLeft == true { phone = nil }
    }
}
