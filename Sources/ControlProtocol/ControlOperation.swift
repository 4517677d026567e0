import Encoding

/// What a client of the control socket may ask for.
public enum ControlOperation: Equatable, Sendable {
    /// How the gate is: lanes, readers, trust data, journal, clock.
    case status
    /// From now on, every event as a line of its own.
    case events
    /// One page of the audit journal.
    case journal(JournalQuery)
    /// Walk a stretch along a chain of the audit journal: does every record follow from the one before it?
    case verifyJournal(JournalStretch)
    /// Export the evidence of a grant, the record with this number in the main chain, for somebody who has no access to the gate.
    case proveJournal(sequence: UInt64)
    /// Read the configuration again; the old one stays on any error.
    case reload
    /// Apply the signed export whose open file travels with this line (SCM_RIGHTS).
    case importPublication
    /// Forget times that lie ahead of the machine's clock: it was far ahead once, or the office's was.
    case resetClockFloor

    /// Who may ask for it.
    public var permission: ControlPermission {
        switch self {
        case .status, .events, .journal: .everyone
        // It reads the whole journal: nothing for whoever passes by.
        // What somebody's phone signed leaves the gate: that is noted, with who asked for it.
        case .reload, .importPublication, .verifyJournal, .proveJournal: .operators
        // What has expired could come back.
        case .resetClockFloor: .root
        }
    }

    /// Its word in a request, and in the log.
    public var name: String {
        switch self {
        case .status: "status"
        case .events: "events"
        case .journal: "journal"
        case .verifyJournal: "journal-verify"
        case .proveJournal: "journal-prove"
        case .reload: "reload"
        case .importPublication: "import"
        case .resetClockFloor: "clock-reset-floor"
        }
    }

    init(json: JSON) throws(ControlError) {
        guard let name = json["do"]?.string else { throw .malformed("The request does not say what to `do`.") }
        switch name {
        case "status": self = .status
        case "events": self = .events
        case "journal": self = .journal(try JournalQuery(json: json))
        case "journal-verify": self = .verifyJournal(try JournalStretch(json: json))
        case "journal-prove":
            guard let sequence = json["sequence"]?.integer, sequence >= 1 else {
                throw .malformed("`sequence` is not a record's number.")
            }
            self = .proveJournal(sequence: UInt64(sequence))
        case "reload": self = .reload
        case "import": self = .importPublication
        case "clock-reset-floor": self = .resetClockFloor
        default: throw ControlError(code: "operation-unknown", message: "This gate does not know this request.")
        }
    }

    var fields: JSONObject {
        switch self {
        case .status, .events, .reload, .importPublication, .resetClockFloor: ["do": .string(name)]
        case .journal(let query): query.fields
        case .proveJournal(let sequence): ["do": .string(name), "sequence": .integer(Int64(clamping: sequence))]
        case .verifyJournal(let stretch): stretch.fields
        }
    }
}
