import ControlProtocol
import Encoding
import Evidence
import Storage

/// Signed checkpoints for the control socket: those in the journal with what it has in the places they name, and a new one.
package enum CheckpointReport {
    /// A checkpoint as it stands in the journal. Whether it holds is for whoever asked to judge.
    package static func json(_ kept: KeptCheckpoint, of journal: Journal) throws(StorageError) -> JSON {
        var fields: JSONObject = ["sequence": .integer(Int64(clamping: kept.sequence)), "checkpoint": .string(Hex.encode(kept.bytes))]
        if let checkpoint = (try? SignedCheckpoint(parsing: kept.bytes))?.checkpoint {
            fields["main"] = json(try journal.place(of: checkpoint.main.sequence, in: .main))
            fields["unproven"] = json(try journal.place(of: checkpoint.unproven.sequence, in: .unproven))
        }
        return .object(fields)
    }

    /// The hash of the record there, or in a word why there is none.
    private static func json(_ place: JournalPlace) -> JSON {
        switch place {
        case .hash(let hash): .string(Hex.encode(hash))
        case .letGo: "let-go"
        case .beyond: "beyond"
        }
    }

    /// Milliseconds that whoever asks for a checkpoint waits for the disk.
    private static let patience = 2000

    /// Signs how far the chains reach now.
    package static func make(in journal: Journal) throws(ControlError) -> JSON {
        guard let made = journal.checkpoint(), let signed = try? SignedCheckpoint(parsing: made.entry.evidence) else {
            throw ControlError(code: "audit-key-missing", message: "The gate has no audit key; `tapstile status` says why.")
        }
        if case .durable = made.ticket.wait(milliseconds: patience) {} else {
            throw ControlError(
                code: "checkpoint-not-kept", message: "The checkpoint could not be written into the journal; `tapstile status` says why.")
        }
        return ["checkpoint": .string(Hex.encode(signed.raw)), "record": .integer(Int64(clamping: made.ticket.sequence)),
                "sequence": .integer(Int64(clamping: signed.checkpoint.main.sequence)),
                "head": .string(Hex.encode(signed.checkpoint.main.hash))]
    }
}
