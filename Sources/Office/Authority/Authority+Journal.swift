import Cryptography
import Evidence
import Files
import Storage
import Threads

/// What an auditor learns of a copied journal, without the gate.
extension Authority {
    /// Walks along both chains of a copy, or along what was collected, and holds the signed checkpoints in it and one from outside against them.
    /// - Parameters:
    ///   - keys: public audit keys that were kept elsewhere. Without any, those that the journal itself names count, and
    ///     the verdict says so.
    ///   - outside: a checkpoint that was kept elsewhere.
    /// - Throws: `journal-broken` names the first record that does not follow; what keeps the file from being read.
    public static func verifyJournal(
        at path: String, keys: [PublicKey], site: String?, gate: String?, outside: SignedCheckpoint?
    ) throws(AuthorityError) -> JournalVerdict {
        if CollectedFile.isOne(path) {
            return try CollectedFile(path: path).verify(keys: keys, site: site, gate: gate, outside: outside)
        }
        do throws(StorageError) {
            return try verify(JournalCopy(path: path), keys: keys, site: site, gate: gate, outside: outside)
        } catch {
            throw .journal(path: path, error)
        }
    }

    private static func verify(
        _ copy: JournalCopy, keys: [PublicKey], site: String?, gate: String?, outside: SignedCheckpoint?
    ) throws(StorageError) -> JournalVerdict {
        let trust = CheckpointTrust(
            keys: keys.isEmpty ? try namedKeys(in: copy) : keys, site: site ?? outside?.checkpoint.site, gate: gate ?? outside?.checkpoint.gate)
        var review = CheckpointReview(trust: trust)
        let unproven = try walk(copy, .unproven) { (_) throws(StorageError) in }
        var continuations: [JournalContinuation] = [], transcripts: [KeptTranscript] = []
        let main = try walk(copy, .main, onContinuation: { continuations.append($0) }, onTranscript: { transcripts.append($0) }) { (kept) throws(StorageError) in
            let said = (try? SignedCheckpoint(parsing: kept.bytes))?.checkpoint
            review.examine(
                kept.bytes, at: kept.sequence, main: try place(said?.main, .main, copy), unproven: try place(said?.unproven, .unproven, copy))
        }
        for kept in transcripts { review.passed(transcript: kept.start, at: kept.sequence) }
        for continuation in continuations { review.continued(ChainContinuation(continuation)) }
        review.finish(main: main, unproven: unproven)
        var comparison: OutsideComparison?
        if let outside {
            comparison = OutsideComparison(
                outside, trust: trust, main: try place(outside.checkpoint.main, .main, copy),
                unproven: try place(outside.checkpoint.unproven, .unproven, copy),
                loss: review.loss(since: outside.checkpoint, main: main, unproven: unproven))
        }
        return JournalVerdict(
            main: main, unproven: unproven, review: review, outside: comparison, isKeyGiven: !keys.isEmpty,
            isOwnerGiven: trust.site != nil && trust.gate != nil)
    }

    private static func walk(
        _ copy: JournalCopy, _ partition: JournalPartition, onContinuation: (JournalContinuation) -> Void = { _ in },
        onTranscript: (KeptTranscript) -> Void = { _ in }, _ visit: (KeptCheckpoint) throws(StorageError) -> Void
    ) throws(StorageError) -> ChainResult {
        switch try copy.verify(partition, onCheckpoint: visit, onContinuation: onContinuation, onTranscript: onTranscript) {
        case .intact(let first, let head): return ChainResult(first: first, last: head.sequence, hash: head.hash)
        case .broken(let sequence, let why):
            throw StorageError(.recordDamaged, "Record \(sequence) of the \(partition.rawValue) chain: \(why).")
        }
    }

    private static func place(_ extent: ChainExtent?, _ partition: JournalPartition, _ copy: JournalCopy) throws(StorageError) -> ChainPlace {
        guard let extent else { return .letGo }
        return ChainPlace(try copy.place(of: extent.sequence, in: partition))
    }

    /// The keys that the journal names: what whoever wrote it says of itself.
    private static func namedKeys(in copy: JournalCopy) throws(StorageError) -> [PublicKey] {
        try copy.read(reason: AuditKeyAnnouncement.reason, limit: 1000).compactMap { record in
            record.entry.detail["key"]?.bytes.flatMap { AuditKeyAnnouncement.key(in: $0) }
        }
    }

    /// An audit key's public half from a file.
    public static func auditKey(at path: String) throws(AuthorityError) -> PublicKey {
        try AuthorityFolder.publicKey(at: path, role: .audit)
    }

    /// A signed checkpoint from a file.
    public static func checkpoint(at path: String) throws(AuthorityError) -> SignedCheckpoint {
        let bytes = try bytes(at: path)
        do throws(CheckpointError) { return try SignedCheckpoint(parsing: bytes) } catch { throw .checkpoint(path: path, error) }
    }
}
