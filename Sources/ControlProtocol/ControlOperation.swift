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
    /// Sign how far the journal reaches now, keep the checkpoint in it, and answer it.
    case checkpointJournal
    /// Somebody has every record of the main chain up to this place.
    case collectJournal(JournalReceipt)
    /// The public half of the key that signs checkpoints.
    case auditKey
    /// Read the configuration again; the old one stays on any error.
    case reload
    /// Apply the signed export whose open file travels with this line (SCM_RIGHTS).
    case importPublication
    /// Take what is new from a repository that the client reads: the connection that travels with this line (SCM_RIGHTS) answers for its files. The
    /// answer is the number of the import.
    case importFolder
    /// How the import of a folder with this number is.
    case followImport(number: UInt64)
    /// Synchronise as soon as possible; the answer is the number of the run that begins from now on.
    case synchronise
    /// How the run with this number is.
    case followSync(run: UInt64)
    /// Forget times that lie ahead of the machine's clock: it was far ahead once, or the office's was.
    case resetClockFloor
    /// How one lane is.
    case lane(String)
    /// Do something with a lane (A2).
    case actOnLane(LaneRequest)
    /// Who is inside, as far as anti-passback knows (V5).
    case passback(PassbackQuery)
    /// Count people as gone.
    case resetPassback(PassbackQuery)
    /// Let a simulated input change.
    case simulate(SimulationRequest)

    /// Try what is wired at a lane, one thing after the other.
    case testLane(WalkTestRequest)

    /// Who may ask for it.
    public var permission: ControlPermission {
        switch self {
        case .status, .events, .journal, .auditKey, .lane: .everyone
        // It reads the whole journal: nothing for whoever passes by.
        // What somebody's phone signed leaves the gate: that is noted, with who asked for it.
        case .reload, .importPublication, .importFolder, .followImport, .synchronise, .followSync, .verifyJournal, .proveJournal, .checkpointJournal, .collectJournal,
             .testLane, .actOnLane, .passback, .resetPassback, .simulate: .operators
        // What has expired could come back.
        case .resetClockFloor: .root
        }
    }

    /// Whether it only looks how far something is that was asked for and noted before.
    public var isFollowing: Bool {
        switch self {
        case .testLane(let request): if case .follow = request.action { true } else { false }
        case .followSync, .followImport: true
        case .status, .events, .journal, .verifyJournal, .proveJournal, .checkpointJournal, .collectJournal, .auditKey, .reload, .importPublication,
             .importFolder, .synchronise, .resetClockFloor, .lane, .actOnLane, .passback, .resetPassback, .simulate: false
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
        case .checkpointJournal: "journal-checkpoint"
        case .collectJournal: "journal-collected"
        case .auditKey: "journal-audit-key"
        case .reload: "reload"
        case .importPublication: "import"
        case .importFolder: "import-folder"
        case .followImport: "import-follow"
        case .synchronise: "sync"
        case .followSync: "sync-follow"
        case .resetClockFloor: "clock-reset-floor"
        case .testLane: "test-lane"
        case .lane: "lane"
        case .actOnLane: "lane-act"
        case .passback: "passback"
        case .resetPassback: "passback-reset"
        case .simulate: "simulate"
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
        case "test-lane": self = .testLane(try WalkTestRequest(json: json))
        case "journal-checkpoint": self = .checkpointJournal
        case "journal-collected": self = .collectJournal(try JournalReceipt(json: json))
        case "journal-audit-key": self = .auditKey
        case "reload": self = .reload
        case "import": self = .importPublication
        case "import-folder": self = .importFolder
        case "import-follow":
            guard let number = json["import"]?.integer, number >= 1 else { throw .malformed("`import` is not the number of an import.") }
            self = .followImport(number: UInt64(number))
        case "sync": self = .synchronise
        case "sync-follow":
            guard let run = json["run"]?.integer, run >= 1 else { throw .malformed("`run` is not the number of a run.") }
            self = .followSync(run: UInt64(run))
        case "clock-reset-floor": self = .resetClockFloor
        case "lane":
            guard let lane = json["lane"]?.string else { throw .malformed("`lane` is not the name of a lane.") }
            self = .lane(lane)
        case "lane-act": self = .actOnLane(try LaneRequest(json: json))
        case "passback": self = .passback(try PassbackQuery(json: json))
        case "passback-reset": self = .resetPassback(try PassbackQuery(json: json))
        case "simulate": self = .simulate(try SimulationRequest(json: json))
        default: throw ControlError(code: "operation-unknown", message: "This gate does not know this request.")
        }
    }

    var fields: JSONObject {
        switch self {
        case .status, .events, .checkpointJournal, .auditKey, .reload, .importPublication, .importFolder, .synchronise, .resetClockFloor: ["do": .string(name)]
        case .journal(let query): query.fields
        case .testLane(let request): request.fields
        case .followImport(let number): ["do": .string(name), "import": .integer(Int64(clamping: number))]
        case .followSync(let run): ["do": .string(name), "run": .integer(Int64(clamping: run))]
        case .proveJournal(let sequence): ["do": .string(name), "sequence": .integer(Int64(clamping: sequence))]
        case .verifyJournal(let stretch): stretch.fields
        case .lane(let lane): ["do": .string(name), "lane": .string(lane)]
        case .actOnLane(let request): request.fields
        case .passback(let query), .resetPassback(let query): query.fields(name)
        case .simulate(let request): request.fields
        case .collectJournal(let receipt): receipt.fields
        }
    }
}
