/// Why a link is not served, or no longer.
public enum LinkRefusal: Error, Hashable, Sendable, CaseIterable {
    /// The phone was not near within the window, or went away before it said anything (T5).
    case tooFar
    /// As many links as may be are open (T6).
    case tooMany
    /// It said nothing for too long, or did not come for an answer.
    case silent
    /// The conversation took too long.
    case late
    /// The phone had its result and did not hang up.
    case stayed
    /// It wrote before its last message was answered, or after its conversation was over.
    case outOfTurn
    /// It was cut while a message waited.
    case gone
    /// The gate does not know it, or not any more.
    case unknown
    /// The gate has no key to prove itself with.
    case notEquipped

    /// Stable code, for logs and events.
    public var code: String {
        switch self {
        case .tooFar: "ble-too-far"
        case .tooMany: "ble-too-many"
        case .silent: "ble-silent"
        case .late: "ble-late"
        case .stayed: "ble-stayed"
        case .outOfTurn: "ble-out-of-turn"
        case .gone: "ble-gone"
        case .unknown: "ble-forgotten"
        case .notEquipped: "ble-no-keys"
        }
    }

    /// A sentence for people that names the remedy.
    public var message: String {
        switch self {
        case .tooFar: "The phone was not near enough in time: hold it closer, or lower `ble-rssi-threshold-dbm` of the lane."
        case .tooMany: "As many phones as may be are connected: the phone tries again, or raise `links` of the radio."
        case .silent: "The phone connected and said nothing, or did not read its answer: its app was stopped, or is no app of ours."
        case .late: "The conversation took too long: the phone tries again, or raise `presentation-deadline-ms` of the radio."
        case .stayed: "The phone had its result and stayed connected; the gate hung up."
        case .outOfTurn: "The phone wrote when it was not its turn: its app is at fault."
        case .gone: "The phone went away before it was answered."
        case .unknown: "The gate has forgotten this connection: the phone connects again."
        case .notEquipped: "The gate has no key to prove itself with: `tapstile status` names each key that is missing, with its remedy."
        }
    }

    /// The error by which a write is refused: those from 0x80 to 0x9F are the application's (Bluetooth Core, Vol 3 Part F,
    /// 3.4.1.1). 0x80 is that of a read with nothing ready.
    public var attError: UInt8 {
        switch self {
        case .tooFar: 0x81
        case .tooMany: 0x82
        case .outOfTurn: 0x83
        case .silent, .late, .stayed, .gone, .unknown, .notEquipped: 0x84
        }
    }
}

/// How far a link has come.
enum LinkStage: Equatable, Sendable {
    /// The phone has said nothing yet; its distance is being found out. It has until then to say something.
    case approaching(Approach, until: Instant)
    /// The phone has said something before its distance was known: its message waits for that.
    case asking(Approach)
    /// Nobody asks how near the phone is (classic). It has until then to say something.
    case welcome([String], until: Instant)
    /// The conversation is under way. After a message the phone has until `step` to come for its answer; once it has that, or a person is
    /// asked for consent, only `end` counts, by which all must be over.
    case conversing(step: Instant, end: Instant)
    /// The phone has its result, and until then to hang up.
    case notified(until: Instant)
    /// The link was told to disconnect, for that; it is told again then.
    case leaving(LinkRefusal, again: Instant)

    /// When something happens by itself.
    var nextChange: Instant? {
        switch self {
        case .approaching(let approach, let until): [approach.nextChange, until].compactMap(\.self).min()
        case .asking(let approach): approach.nextChange
        case .welcome(_, let until), .notified(let until), .leaving(_, let until): until
        case .conversing(let step, let end): min(step, end)
        }
    }

    /// Everything that a phone must do in time may be done so much later. A conversation's own end stays: its attempt has a deadline.
    mutating func postpone(by milliseconds: Int64) {
        switch self {
        case .approaching(var approach, let until):
            approach.postpone(by: milliseconds)
            self = .approaching(approach, until: until + milliseconds)
        case .asking(var approach):
            approach.postpone(by: milliseconds)
            self = .asking(approach)
        case .welcome(let lanes, let until): self = .welcome(lanes, until: until + milliseconds)
        case .conversing(let step, let end): self = .conversing(step: step + milliseconds, end: end)
        case .notified(let until): self = .notified(until: until + milliseconds)
        case .leaving: break
        }
    }

    /// Whether the link takes one of the places that there are (T6).
    var isServed: Bool {
        switch self {
        case .approaching, .asking, .welcome, .conversing, .notified: true
        case .leaving: false
        }
    }
}
