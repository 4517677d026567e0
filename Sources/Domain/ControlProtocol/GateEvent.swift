import Encoding

/// Something that happened at the gate, for whoever subscribed (T12): one line of JSON with `v`,
/// `event`, `time` and the fields of its kind. Events never carry a name or a full identifier.
public struct GateEvent: Equatable, Sendable {
    /// The kinds of events; clients tolerate kinds they do not know.
    public enum Kind: String, Sendable, CaseIterable {
        /// A conversation with a phone has begun: `lane`, `reader`, `carrier`.
        case started
        /// It has ended: `lane`, `reader`, `carrier`, `result`, `reason`, `sentence`, `credential`, `retryAfter`, `timing`.
        case result
        /// A relay moved: `lane`, `energised`.
        case relay
        /// A lane shows another indicator: `lane`, `indicator`.
        case indicator
        /// A reader came, went, or is in trouble: `reader`, `lane`, `state`, `detail`.
        case reader
        /// A radio came, went, or is in trouble: `radio`, `lanes`, `state`, `detail`.
        case radio
        /// Phones are near a radio, or nobody is any more: `radio`, `phones` (each with `link`, `stage`, `rssi`).
        case nearby
        /// A lane's faults changed: `lane`, `faults`.
        case lane
        /// A walk test began or ended: `lane`, `state` (began, ended), `result`.
        case test
        /// A lane's mode or arming changed: `lane`, `mode`, `direction`, `source`, `user`; or `armed`.
        case mode
        /// An output of a lane was switched: `lane`, `output`, `on`.
        case output
        /// What a lane made of a passage: `lane`, `finding`, `direction`, `by`.
        case passage
        /// An input of a lane changed: `lane`, `input`, `state`.
        case input
        /// An alarm of a lane began or is over: `lane`, `cause`, `on`.
        case alarm
        /// Site data was applied or set aside: `version`, `state`.
        case trust
        /// A synchronisation began or ended: `state` (began, succeeded, failed), `run`, `cause`, `changed`, `code`, `requests`, `bytes`, `milliseconds`.
        case sync
        /// The configuration was read again: `result`.
        case configuration
        /// It is time to collect the journal, it is full, or it was collected: `state`.
        case journal
        /// The daemon itself: `state` (ready, stopping), or its clock: `state` (clock-jump with the time of the `machine`, clock-believed).
        case service
    }

    /// What kind of event this is.
    public let kind: Kind
    /// When it happened, in milliseconds since 1970.
    public let time: Int64
    /// What the kind says there is.
    public let fields: JSONObject

    /// An event of `kind` at `time`.
    public init(_ kind: Kind, time: Int64, fields: JSONObject) {
        self.kind = kind
        self.time = time
        self.fields = fields
    }

    /// The event as one line without its line feed.
    public var line: [UInt8] {
        var line = fields
        line["v"] = .integer(ControlVersion.current)
        line["event"] = .string(kind.rawValue)
        line["time"] = .integer(time)
        return JSON.object(line).canonical
    }
}
