import ControlProtocol
import Credentials
import Encoding
import Evidence
import Storage

/// Takes an operator's word that the journal was collected (A6).
package struct JournalCollecting {
    /// The journal.
    let journal: Journal
    /// Whose checkpoints count: the gate's own.
    let trust: CheckpointTrust

    package init(journal: Journal, trust: CheckpointTrust) {
        self.journal = journal
        self.trust = trust
    }

    /// Up to which record a checkpoint speaks, if it is one of this gate and the journal still has what it names.
    package func sequence(ofCheckpoint bytes: [UInt8]) throws(ControlError) -> UInt64 {
        let signed: SignedCheckpoint
        do throws(CheckpointError) { signed = try SignedCheckpoint(parsing: bytes) } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        let extent = signed.checkpoint.main
        let place: JournalPlace
        do throws(StorageError) { place = try journal.place(of: extent.sequence, in: .main) } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        if let fault = trust.fault(of: signed) ?? CheckpointReview.fault(of: extent, ChainPlace(place)) {
            throw ControlError(code: fault.code, message: "The checkpoint of record \(extent.sequence) is not one of this journal.")
        }
        return extent.sequence
    }

    /// Everything up to `sequence` was collected. Answers how it is now.
    /// - Throws: `journal-not-that-far`, `journal-collected-already`, `journal-not-written`.
    package func acknowledge(through sequence: UInt64, by requester: [String: CBOR], at time: JournalTime) throws(ControlError) -> JSON {
        let before = journal.status
        guard sequence <= before.head.sequence else {
            throw ControlError(code: "journal-not-that-far", message: "The journal ends with record \(before.head.sequence).")
        }
        guard sequence >= before.collection.through else {
            throw ControlError(
                code: "journal-collected-already",
                message: "Everything up to record \(before.collection.through) was collected before; that is not taken back.")
        }
        var entry = JournalEntry(collectedThrough: sequence, at: time)
        entry.detail.merge(requester) { own, _ in own }
        if before.collection.overwritten > 0 { entry.detail["overwritten"] = .unsigned(before.collection.overwritten) }
        let ticket = journal.append(entry)
        guard case .durable = ticket.wait(milliseconds: Self.patience) else {
            throw ControlError(code: "journal-not-written", message: "The journal cannot be written now; `tapstile status` says why.")
        }
        let after = journal.status
        return ["through": .integer(Int64(clamping: after.collection.through)), "uncollected": .integer(Int64(clamping: after.uncollected)),
                "overwritten": .integer(Int64(clamping: before.collection.overwritten))]
    }

    /// Milliseconds that whoever asks waits for the disk.
    private static let patience = 2000
}
