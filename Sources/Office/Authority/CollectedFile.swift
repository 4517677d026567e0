import Cryptography
import Evidence
import Files
import Glibc
import Storage
import Threads

/// Records of a gate's journal that were collected (`tapstile journal --bodies`), in the hands of somebody who has nothing else.
struct CollectedFile {
    let path: String

    /// Whether a file begins as one does: a line is a JSON object, and no database begins so.
    static func isOne(_ path: String) -> Bool {
        // What is no file has no first byte, and is refused by who reads journals.
        let file = try? FileDescriptor(path: path, flags: O_RDONLY | O_NONBLOCK)
        return (try? file?.read(count: 1, at: 0)) == [UInt8(ascii: "{")]
    }

    /// Walks along the records, and holds the signed checkpoints among them and one from outside against them.
    func verify(keys: [PublicKey], site: String?, gate: String?, outside: SignedCheckpoint?) throws(AuthorityError) -> JournalVerdict {
        let trust = CheckpointTrust(
            keys: keys.isEmpty ? try namedKeys() : keys, site: site ?? outside?.checkpoint.site, gate: gate ?? outside?.checkpoint.gate)
        var review = CheckpointReview(trust: trust)
        let records = try walk { (records, _) throws(AuthorityError) in
            for kept in records.drainTranscripts() { review.passed(transcript: kept.start, at: kept.sequence) }
            for kept in records.drainCheckpoints() {
                let said = (try? SignedCheckpoint(parsing: kept.bytes))?.checkpoint
                review.examine(kept.bytes, at: kept.sequence, main: ChainPlace(records.place(of: said?.main.sequence ?? 0)), unproven: .letGo)
            }
        }
        for continuation in records.continuations { review.continued(ChainContinuation(continuation)) }
        review.finish(main: nil, unproven: nil)
        let comparison = outside.map {
            OutsideComparison($0, trust: trust, main: ChainPlace(records.place(of: $0.checkpoint.main.sequence)), unproven: .letGo)
        }
        return JournalVerdict(
            main: ChainResult(first: records.first, last: records.head.sequence, hash: records.head.hash), unproven: nil, review: review,
            outside: comparison, isKeyGiven: !keys.isEmpty, isOwnerGiven: trust.site != nil && trust.gate != nil)
    }

    /// The evidence of the grant in a record.
    func evidence(_ sequence: UInt64) throws(AuthorityError) -> EvidenceFile {
        var found: EvidenceFile?
        _ = try walk { (_, chained) throws(AuthorityError) in
            guard chained.record.sequence == sequence else { return }
            found = EvidenceFile(previous: chained.previous, record: chained.record.body, hash: chained.record.hash)
        }
        guard let found else { throw .recordNotCollected(path: path, sequence) }
        return found
    }

    /// The record, if a checkpoint stands for it that one of these keys signed: one among the records, or one that was taken away with them.
    func cover(of sequence: UInt64, by keys: [PublicKey], outside: SignedCheckpoint?) throws(AuthorityError) -> CoveredRecord? {
        let trust = CheckpointTrust(keys: keys)
        func covered(_ signed: SignedCheckpoint?, _ records: CollectedRecords) -> CoveredRecord? {
            guard let signed, trust.fault(of: signed) == nil, records.first <= sequence, case .hash(let hash) = records.place(of: sequence) else { return nil }
            let said = signed.checkpoint, extent = said.main
            guard extent.sequence >= sequence, records.place(of: extent.sequence) == .hash(extent.hash) else { return nil }
            return CoveredRecord(hash: hash, site: said.site, gate: said.gate)
        }
        var found: CoveredRecord?
        let records = try walk { (records, _) throws(AuthorityError) in
            for kept in records.drainCheckpoints() where found == nil { found = covered(try? SignedCheckpoint(parsing: kept.bytes), records) }
        }
        return found ?? covered(outside, records)
    }

    /// The keys that the records name: what whoever wrote them says of itself.
    private func namedKeys() throws(AuthorityError) -> [PublicKey] {
        var keys: [PublicKey] = []
        _ = try walk { (_, chained) throws(AuthorityError) in
            let entry = chained.record.entry
            guard entry.reason == AuditKeyAnnouncement.reason, keys.count < 1000 else { return }
            keys += entry.detail["key"]?.bytes.flatMap { AuditKeyAnnouncement.key(in: $0) }.map { [$0] } ?? []
        }
        return keys
    }

    private func walk(
        _ visit: (inout CollectedRecords, ChainedRecord) throws(AuthorityError) -> Void
    ) throws(AuthorityError) -> CollectedRecords {
        let lines = try LineReader(path: path, longest: CollectedRecords.longestLine)
        var records = CollectedRecords()
        while let line = try lines.next() {
            let chained: ChainedRecord
            do throws(StorageError) { chained = try records.receive(line) } catch { throw .journal(path: path, error) }
            try visit(&records, chained)
        }
        return records
    }
}

extension ChainContinuation {
    init(_ said: JournalContinuation) {
        self.init(sequence: said.sequence, milliseconds: said.milliseconds, main: said.main, unproven: said.unproven)
    }
}

extension ChainPlace {
    init(_ place: JournalPlace) {
        self = switch place {
        case .hash(let hash): .hash(hash)
        case .letGo: .letGo
        case .beyond: .beyond
        }
    }
}
