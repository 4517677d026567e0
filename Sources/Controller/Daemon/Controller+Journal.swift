import AuditJournal
import ControlProtocol
import Cryptography
import Encoding
import Evidence
import Service
import Storage
import Threads

extension Controller {
    func journalPage(_ query: JournalQuery) throws(ControlError) -> JSON {
        do {
            return try JournalReport.page(query, of: parts.journal)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// Walks along a part of a chain. Taps go on meanwhile.
    func verifyJournal(_ stretch: JournalStretch) throws(ControlError) -> JSON {
        try JournalReport.verification(of: stretch, in: parts.journal)
    }

    /// The evidence of a grant, for somebody who has no access to the gate.
    func proveRecord(_ sequence: UInt64) throws(ControlError) -> JSON {
        try JournalProof.export(sequence, of: parts.journal, signedBy: outcomeSigner)
    }

    /// Who signs what became of an exchange, or why nobody does.
    private var outcomeSigner: Result<OutcomeSigner, ControlError> {
        let configuration = layout.withLock { $0 }.configuration
        return parts.auditKeys.current
            .map { OutcomeSigner(key: $0.key, site: configuration.site.identifier, gate: configuration.gate.identifier) }
            .mapError { ControlError(code: $0.code, message: $0.message) }
    }

    /// Signs how far the journal reaches now.
    func checkpointJournal() throws(ControlError) -> JSON {
        try CheckpointReport.make(in: parts.journal)
    }

    /// Takes an operator's word that everything up to some record was collected. Journalled with who said so.
    func collectJournal(_ receipt: JournalReceipt, by peer: ControlPeer) throws(ControlError) -> JSON {
        let collecting = JournalCollecting(journal: parts.journal, trust: ownCheckpoints)
        let sequence = switch receipt {
        case .through(let sequence): sequence
        case .checkpoint(let bytes): try collecting.sequence(ofCheckpoint: bytes)
        }
        let requester: [String: CBOR] = [
            "user": .unsigned(UInt64(peer.user)), "process": CBOR(Int64(peer.process)), "what": "collected"]
        return try collecting.acknowledge(through: sequence, by: requester, at: parts.journalTime)
    }

    /// The public half of the audit key, and those of the earlier keys that the journal names.
    func auditKey() throws(ControlError) -> JSON {
        let key: AuditKey
        do throws(AuditKeyProblem) { key = try parts.auditKeys.current.get() } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        guard let text = key.publicText.map({ String(decoding: $0, as: UTF8.self) }) else {
            throw ControlError(code: "audit-key-missing", message: "The public half of the audit key cannot be written.")
        }
        let named = AuditKeys.announced(in: parts.journal).filter { $0 != key.key.publicKey }
        return ["thumbprint": .string(Hex.encode(key.thumbprint)), "file": .string(text),
                "earlier": .array(named.map { .string(String(decoding: AuditKey.publicText(of: $0) ?? [], as: UTF8.self)) })]
    }

    /// Checkpoints that this gate has signed, now or with an earlier key that its journal names.
    private var ownCheckpoints: CheckpointTrust {
        let site = layout.withLock { $0 }.configuration.site.identifier, gate = layout.withLock { $0 }.configuration.gate.identifier
        let current = (try? parts.auditKeys.current.get()).map { [$0.key.publicKey] } ?? []
        return CheckpointTrust(keys: current + AuditKeys.announced(in: parts.journal), site: site, gate: gate)
    }

    /// Tells subscribers that it has become time to collect the journal, or that there is room again.
    func reportCollection() {
        let state = parts.journal.status.collectionState
        let isNews = reportedCollection.withLock { told in
            defer { told = state }
            return told != state
        }
        if isNews { parts.events.emit(.journal, ["state": .string(state.word)]) }
    }
}
