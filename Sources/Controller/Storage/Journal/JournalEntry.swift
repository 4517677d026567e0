import Credentials
import Encoding

/// What the caller wants recorded. Fields that do not apply stay nil or empty.
public struct JournalEntry: Hashable, Sendable {
    /// What it tells about.
    public var kind: JournalKind
    /// When it happened.
    public var time: JournalTime
    /// The lane's name.
    public var lane: String?
    /// The reader's name.
    public var reader: String?
    /// How the phone reached the gate.
    public var carrier: Carrier?
    /// The transcript hash of the exchange (TH_2 in an attempt, TH_4 in an outcome).
    public var transcriptHash: [UInt8]?
    /// In an outcome: `JournalTicket.sequence` of the attempt it closes.
    public var attempt: UInt64?
    /// Whose credential was proven.
    public var subject: String?
    /// The token identifier, the enrolled key's thumbprint, or what stands for a UID-only card's number, 32 bytes.
    public var credential: [UInt8]?
    /// The stable code of the reason (`Reason.rawValue`).
    public var reason: String?
    /// In an outcome: whether the phone's proof had verified, or the UID-only card is on the site's list. Unproven failures are counted, not kept
    /// one by one.
    public var isProven: Bool
    /// The bytes that prove what happened, such as the phone's signature.
    public var evidence: [UInt8]
    /// Whatever else belongs to it, small.
    public var detail: [String: CBOR]
    /// What it changes in the state that survives a restart, in this order. Not part of the record: one that is read has none.
    public var effects: [StateEffect]

    /// An entry; only what applies need be given.
    public init(
        kind: JournalKind, time: JournalTime, lane: String? = nil, reader: String? = nil, carrier: Carrier? = nil,
        transcriptHash: [UInt8]? = nil, attempt: UInt64? = nil, subject: String? = nil, credential: [UInt8]? = nil,
        reason: String? = nil, isProven: Bool = true, evidence: [UInt8] = [], detail: [String: CBOR] = [:],
        effects: [StateEffect] = []
    ) {
        self.kind = kind
        self.time = time
        self.lane = lane
        self.reader = reader
        self.carrier = carrier
        self.transcriptHash = transcriptHash
        self.attempt = attempt
        self.subject = subject
        self.credential = credential
        self.reason = reason
        self.isProven = isProven
        self.evidence = evidence
        self.detail = detail
        self.effects = effects
    }

    /// The detail that says how little is proved where it is little: `low` of a UID-only card.
    public static let assuranceDetail = "assurance"

    /// The chain it belongs to.
    public var partition: JournalPartition {
        switch kind {
        case .attempt, .repeatedFailures: .unproven
        case .outcome: isProven ? .main : .unproven
        case .input, .passage, .mode, .configuration, .trust, .service, .journal, .checkpoint: .main
        }
    }
}

extension JournalEntry {
    /// The record that a file was set aside.
    init(_ aside: JournalSetAside, at time: JournalTime) {
        var detail: [String: CBOR] = ["file": .text(aside.name), "why": .text(aside.reason.message)]
        detail[Self.continuedFrom] = aside.continuedFrom.map { .unsigned($0.sequence) }
        detail[Self.continuedUnproven] = aside.continuedUnproven.map { .unsigned($0.sequence) }
        self.init(kind: .journal, time: time, reason: Self.setAsideReason, detail: detail)
    }

    private static let setAsideReason = "journal-set-aside"
    private static let continuedFrom = "continued-from"
    private static let continuedUnproven = "continued-unproven"

    /// After which records the chains go on in a new file, in the record that says so. Older programs do not name the second.
    func continuation(at sequence: UInt64) -> JournalContinuation? {
        guard kind == .journal, reason == Self.setAsideReason, let main = detail[Self.continuedFrom]?.unsignedInteger else { return nil }
        return JournalContinuation(
            sequence: sequence, milliseconds: time.wallMilliseconds, main: main, unproven: detail[Self.continuedUnproven]?.unsignedInteger)
    }

    /// The record that records are missing after a known head.
    init(missingAfter head: JournalHead, at time: JournalTime) {
        self.init(
            kind: .journal, time: time, reason: "journal-records-missing",
            detail: ["known-sequence": .unsigned(head.sequence), "known-hash": .bytes(head.hash)])
    }

    /// The record that a file of an older program was brought up to date.
    init(upgradedFrom schema: Int, at time: JournalTime) {
        self.init(
            kind: .journal, time: time, reason: "journal-upgraded",
            detail: ["from": CBOR(schema), "to": CBOR(Int(DatabaseSchema.journal.version))])
    }
}

/// What a journal record tells about. The raw value is written into the record.
public enum JournalKind: String, Sendable, Hashable, CaseIterable {
    /// A presentation has begun; no relay moves before this is durable.
    case attempt
    /// How a presentation ended.
    case outcome
    /// Unproven failures of one lane and reason, counted instead of written one by one.
    case repeatedFailures = "repeated-failures"
    /// A line changed: passage, request to exit, fire, tamper.
    case input
    /// Somebody passed, or did not: what the lane made of a passage.
    case passage
    /// A lane's mode changed.
    case mode
    /// The configuration was loaded, changed or refused.
    case configuration
    /// Site data was applied, refused or set aside.
    case trust
    /// The program started, stopped, or recovered from something.
    case service
    /// Something happened to the journal itself.
    case journal
    /// How far both chains reach, signed by the gate.
    case checkpoint
}
