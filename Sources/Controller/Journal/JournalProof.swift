import ControlProtocol
import Credentials
import Encoding
import Evidence
import PhoneProtocol
import Storage

/// The evidence of one grant for the control socket, as the file that others check without the gate.
package enum JournalProof {
    /// The file of record `sequence`; whether the phone signed, for a MAC proves nothing to others; whether the relay failed; and
    /// why the gate has not signed the outcome, where it has not. Such a file is worth less, and may be all that there is.
    /// - Throws: `record-missing`, `record-without-evidence`, and the journal's own failures.
    package static func export(_ sequence: UInt64, of journal: Journal, signedBy signer: Result<OutcomeSigner, ControlError>) throws(ControlError) -> JSON {
        let chained = try read(sequence, of: journal)
        let entry = chained.record.entry
        guard !entry.evidence.isEmpty else {
            throw ControlError(code: "record-without-evidence", message: "Record \(sequence) \(whyWithoutEvidence(entry))")
        }
        let relayFailed = try didRelayFail(after: chained.record, in: journal)
        var outcome: SignedOutcome?, problem: ControlError?
        do throws(ControlError) { outcome = try signer.get().sign(chained, relayFailed: relayFailed, of: journal) } catch { problem = error }
        let file = EvidenceFile(previous: chained.previous, record: chained.record.body, hash: chained.record.hash, outcome: outcome)
        let isSigned = TapEvidence(parsing: entry.evidence)?.method.initiatorUsesSignature ?? false
        var fields: JSONObject = [
            "sequence": .integer(Int64(clamping: sequence)), "file": .string(Hex.encode(file.encoded)), "signed": .bool(isSigned),
            "relayFailed": .bool(relayFailed), "outcomeSigned": .bool(outcome != nil)]
        fields["problem"] = problem.map { ["code": .string($0.code), "message": .string($0.message)] }
        return .object(fields)
    }

    private static func whyWithoutEvidence(_ entry: JournalEntry) -> String {
        guard entry.kind == .outcome, entry.reason == Reason.granted.rawValue else {
            return "is no grant (\(entry.reason ?? entry.kind.rawValue)): only grants keep what the phone signed."
        }
        return "is a grant to a UID-only card: it has signed nothing."
    }

    /// Whether the journal says that the relay of this grant could not be driven. That is a record of its own, which is
    /// not in the file.
    private static func didRelayFail(after grant: JournalRecord, in journal: Journal) throws(ControlError) -> Bool {
        let faults = JournalFilter(lane: grant.entry.lane, reason: Reason.laneFault.rawValue)
        do throws(StorageError) {
            return try journal.read(from: grant.sequence + 1, limit: faultsLookedAt, filter: faults)
                .contains { $0.entry.detail["outcome"]?.unsignedInteger == grant.sequence }
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// A lane makes no second grant before the first one's records: the fault follows soon, or never.
    private static let faultsLookedAt = 100

    private static func read(_ sequence: UInt64, of journal: Journal) throws(ControlError) -> ChainedRecord {
        do throws(StorageError) {
            if let chained = try journal.chained(sequence) { return chained }
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        throw ControlError(
            code: "record-missing",
            message: "The main chain has no record \(sequence): it ends with \(journal.head.sequence), and old ones are let go.")
    }
}
