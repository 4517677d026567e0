/// What keeps a lane out of service. A lane with any fault shows it; it grants nothing while one stands, except that
/// of the journal, where rule 1 of the audit judges each tap (docs/architecture.md): the disk may be back for this one.
public enum LaneFault: Hashable, Sendable, Comparable, CaseIterable {
    /// An output line could not be requested or set.
    case line
    /// An input line cannot be read.
    case input
    /// No reader of the lane is in service.
    case reader
    /// A reader has not answered for longer than a reader may (10 s).
    case readerStuck
    /// The gate has no key to prove itself with to a phone.
    case gateKey
    /// The audit journal cannot be written, and the lane grants nothing that is not recorded.
    case journal
    /// Nobody has collected the journal, and it keeps all that is not collected (`audit.on-full = "deny"`).
    case journalFull
    /// More than one reader fits a binding, so that none may be used (T3).
    case ambiguousReader

    /// The faults that the readers of a lane cause.
    public static let ofReaders: Set<LaneFault> = [.reader, .readerStuck, .ambiguousReader]

    /// Whether the lane itself refuses while this stands.
    var closes: Bool {
        switch self {
        case .line, .input, .reader, .readerStuck, .gateKey, .journalFull, .ambiguousReader: true
        case .journal: false
        }
    }

    /// Stable code, for status, events and journal.
    public var code: String {
        switch self {
        case .line: "line-fault"
        case .input: "input-fault"
        case .reader: "reader-absent"
        case .readerStuck: "reader-stuck"
        case .gateKey: "gate-key-missing"
        case .journal: "journal-fault"
        case .journalFull: "journal-full"
        case .ambiguousReader: "reader-ambiguous"
        }
    }

    /// A sentence for people.
    public var message: String {
        switch self {
        case .line: "An output line of this lane cannot be driven."
        case .input: "An input line of this lane cannot be read; the line's own message says why."
        case .reader: "No reader of this lane is in service, nor a radio."
        case .readerStuck: "A reader of this lane has stopped answering."
        case .gateKey: "The gate has no key to prove itself with to phones; `keys` says which and what fixes it."
        case .journal: "The audit journal cannot be written, so that every phone is refused; `journal` says why."
        case .journalFull: "The audit journal is full of records that nobody has collected; collect it: tapstile journal ack"
        case .ambiguousReader: "More than one reader fits a reader of this lane; bind it by serial number or port."
        }
    }
}
