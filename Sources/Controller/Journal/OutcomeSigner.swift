import ControlProtocol
import Cryptography
import Evidence
import Storage

/// Signs what became of an exchange, when somebody wants it as evidence: never while anybody waits at a lane.
package struct OutcomeSigner: Sendable {
    /// The audit key.
    let key: SigningKey
    /// Whose journal it is.
    let site: String
    let gate: String

    package init(key: SigningKey, site: String, gate: String) {
        self.key = key
        self.site = site
        self.gate = gate
    }

    /// Records that are walked along at once.
    private static let stretch: UInt64 = 500

    /// The signature over a record of the main chain.
    /// - Parameter relayFailed: whether a later record says that its relay could not be driven.
    /// - Throws: `journal-broken` if the record is no part of the chain that this gate wrote; the journal's own failures.
    func sign(_ chained: ChainedRecord, relayFailed: Bool, of journal: Journal) throws(ControlError) -> SignedOutcome {
        let record = chained.record, isOurs: Bool
        do throws(StorageError) { isOurs = try stands(record, in: journal) } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        guard isOurs else {
            throw ControlError(
                code: "journal-broken", message: "What follows record \(record.sequence) does not lead to what this gate has signed or written.")
        }
        guard let transcript = record.entry.transcriptHash, let reason = record.entry.reason, let signed = SignedOutcome.sign(
            site: site, gate: gate, recordHash: record.hash, transcript: transcript, reason: reason, relayFailed: relayFailed, key: key)
        else { throw ControlError(code: "checkpoint-unsignable", message: "The outcome cannot be signed.") }
        return signed
    }

    /// Whether the chain leads from the record to a checkpoint that this key has signed, or to the head that the gate has in
    /// memory: whoever can write the file without the key puts no grant before either.
    private func stands(_ record: JournalRecord, in journal: Journal) throws(StorageError) -> Bool {
        let trust = CheckpointTrust(keys: [key.publicKey], site: site, gate: gate)
        var position = JournalHead(sequence: record.sequence, hash: record.hash)
        while true {
            let walk = try journal.walk(.main, after: position, limit: Self.stretch)
            // The ring may have let the record go meanwhile.
            guard case .intact(_, let head) = walk.found, walk.start == position else { return false }
            for kept in walk.checkpoints {
                guard let signed = try? SignedCheckpoint(parsing: kept.bytes), trust.fault(of: signed) == nil else { continue }
                let extent = signed.checkpoint.main
                if extent.sequence >= record.sequence { return try journal.place(of: extent.sequence, in: .main) == .hash(extent.hash) }
            }
            if walk.isAtEnd { return true }
            position = head
        }
    }
}
