import CommandLineOptions

/// What `tapstile journal` does besides showing records. The raw value is the word.
enum JournalAction: String, CaseIterable {
    /// Exports what the phone of a grant signed.
    case exportEvidence = "export-evidence"
    /// Walks along both chains, and holds the signed checkpoints against them.
    case verify
    /// Signs how far the chains reach now.
    case checkpoint
    /// Says that everything up to a record was collected.
    case acknowledge = "ack"
    /// The public half of the audit key.
    case auditKey = "audit-key"

    /// The action of an operand.
    /// - Throws: a sentence that names today's word where the operand is one of 0.1.
    static func read(_ operand: String) throws -> JournalAction {
        if let action = JournalAction(rawValue: operand) { return action }
        guard let action = ["prove": exportEvidence, "collected": acknowledge][operand] else { throw CommandLineError.operandNotWanted(operand) }
        throw CommandLineError.operandRenamed(operand, now: action.rawValue)
    }

    /// The options that go with it, besides those of every command.
    private var own: Set<String> {
        switch self {
        case .exportEvidence, .checkpoint, .auditKey: ["out"]
        case .verify: ["since-checkpoint", "audit-key"]
        case .acknowledge: ["through", "checkpoint"]
        }
    }

    /// Options of `journal` that make no sense with it.
    var foreign: [String] { (Self.ofReading + Self.ofActions).filter { !own.contains($0) } }

    /// Options that choose records.
    static let ofReading = choices + ["from", "limit", "last", "bodies", "through", "checkpoint"]
    /// Those that leave some out.
    static let choices = ["unproven", "since", "lane", "reason", "kind", "subject"]
    /// Options of the actions.
    static let ofActions = ["out", "since-checkpoint", "audit-key"]
}
