import Encoding

/// What a client of the control socket may ask for.
public enum ControlOperation: Equatable, Sendable {
    /// How the gate is: lanes, readers, site data, journal, clock.
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
    /// Take what is new from a repository that the client reads: the connection that travels with this line (SCM_RIGHTS) answers for its files. The
    /// answer is the number of the import.
    case importFolder
    /// How the import of a folder with this number is.
    case followImport(number: UInt64)
    /// Synchronise as soon as possible; the answer is the number of the run that begins from now on.
    case synchronise
    /// How the run with this number is.
    case followSync(run: UInt64)
    /// The machine's present time is right. Where its clock has jumped, or nobody vouches for it, root alone may say so.
    case confirmClock
    /// Forget times that lie ahead of the machine's clock: it was far ahead once, or the office's was.
    case resetClockFloor
    /// How one lane is.
    case lane(String)
    /// Do something with a lane (A2).
    case actOnLane(LaneRequest)
    /// Who is inside, as far as anti-passback knows (V5).
    case passback(PassbackQuery)
    /// Would this person pass, by which rule and until when, or why not.
    case explain(ExplainQuery)
    /// Count people as gone.
    case resetPassback(PassbackQuery)
    /// Let a simulated input change.
    case simulate(SimulationRequest)

    /// Try what is wired at a lane, one thing after the other.
    case testLane(WalkTestRequest)

    /// Its word in a request, with who may send it.
    public var command: ControlCommand {
        switch self {
        case .status: .status
        case .events: .events
        case .journal: .journal
        case .verifyJournal: .journalVerify
        case .proveJournal: .journalProve
        case .checkpointJournal: .journalCheckpoint
        case .collectJournal: .journalCollected
        case .auditKey: .journalAuditKey
        case .reload: .reload
        case .importFolder: .importFolder
        case .followImport: .importFollow
        case .synchronise: .sync
        case .followSync: .syncFollow
        case .confirmClock: .clockConfirm
        case .resetClockFloor: .clockResetFloor
        case .testLane: .testLane
        case .lane: .lane
        case .actOnLane: .laneAct
        case .passback: .passback
        case .explain: .explain
        case .resetPassback: .passbackReset
        case .simulate: .simulate
        }
    }

    /// The same as text, for the log too.
    public var name: String { command.rawValue }

    /// Whether it only looks, how far something is that was asked for and noted before among it: the log has it at `debug`.
    public var isLook: Bool {
        if case .testLane(let request) = self, case .follow = request.action { return true }
        return command.isLook
    }

    init(json: JSON) throws(ControlError) {
        guard let name = json["do"]?.string else { throw .malformed("The request does not say what to `do`.") }
        guard let command = ControlCommand(rawValue: name) else {
            throw ControlError(code: "operation-unknown", message: "This gate does not know this request.")
        }
        switch command {
        case .status: self = .status
        case .events: self = .events
        case .journal: self = .journal(try JournalQuery(json: json))
        case .journalVerify: self = .verifyJournal(try JournalStretch(json: json))
        case .journalProve: self = .proveJournal(sequence: try Self.number("sequence", of: "a record", in: json))
        case .testLane: self = .testLane(try WalkTestRequest(json: json))
        case .journalCheckpoint: self = .checkpointJournal
        case .journalCollected: self = .collectJournal(try JournalReceipt(json: json))
        case .journalAuditKey: self = .auditKey
        case .reload: self = .reload
        case .importFolder: self = .importFolder
        case .importFollow: self = .followImport(number: try Self.number("import", of: "an import", in: json))
        case .sync: self = .synchronise
        case .syncFollow: self = .followSync(run: try Self.number("run", of: "a run", in: json))
        case .clockConfirm: self = .confirmClock
        case .clockResetFloor: self = .resetClockFloor
        case .lane:
            guard let lane = json["lane"]?.string else { throw .malformed("`lane` is not the name of a lane.") }
            self = .lane(lane)
        case .laneAct: self = .actOnLane(try LaneRequest(json: json))
        case .passback: self = .passback(try PassbackQuery(json: json))
        case .explain: self = .explain(try ExplainQuery(json: json))
        case .passbackReset: self = .resetPassback(try PassbackQuery(json: json))
        case .simulate: self = .simulate(try SimulationRequest(json: json))
        }
    }

    private static func number(_ field: String, of what: String, in json: JSON) throws(ControlError) -> UInt64 {
        guard let number = json[field]?.integer, number >= 1 else { throw .malformed("`\(field)` is not the number of \(what).") }
        return UInt64(number)
    }

    var fields: JSONObject {
        switch self {
        case .status, .events, .checkpointJournal, .auditKey, .reload, .importFolder, .synchronise, .confirmClock,
             .resetClockFloor: ["do": .string(name)]
        case .journal(let query): query.fields
        case .testLane(let request): request.fields
        case .followImport(let number): ["do": .string(name), "import": .integer(Int64(clamping: number))]
        case .followSync(let run): ["do": .string(name), "run": .integer(Int64(clamping: run))]
        case .proveJournal(let sequence): ["do": .string(name), "sequence": .integer(Int64(clamping: sequence))]
        case .verifyJournal(let stretch): stretch.fields
        case .lane(let lane): ["do": .string(name), "lane": .string(lane)]
        case .actOnLane(let request): request.fields
        case .passback(let query), .resetPassback(let query): query.fields(name)
        case .explain(let query): query.fields
        case .simulate(let request): request.fields
        case .collectJournal(let receipt): receipt.fields
        }
    }
}
