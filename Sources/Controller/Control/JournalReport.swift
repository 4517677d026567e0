import ControlProtocol
import Credentials
import Encoding
import Service
import Storage

/// One page of the audit journal for the control socket.
enum JournalReport {
    /// The records that `query` wants, oldest first, and where the next page begins.
    static func page(_ query: JournalQuery, of journal: Journal) throws(StorageError) -> JSON {
        let filter = JournalFilter(
            partition: query.unproven ? .unproven : .main, lane: query.lane, reason: query.reason, kind: query.kind,
            sinceMilliseconds: query.since)
        let records = try journal.read(from: UInt64(query.from), limit: Int(query.limit), filter: filter)
        let next = records.last.map { $0.sequence + 1 } ?? UInt64(query.from)
        return ["records": .array(records.map(json)), "next": .integer(Int64(clamping: next)),
                "more": .bool(records.count == Int(query.limit))]
    }

    /// A stretch of a chain, from its first record and what that follows from to the one it came to, with the checkpoints on the
    /// way, and whether there is more.
    /// - Throws: `journal-broken` names the first record that does not follow; the journal's own failures.
    static func verification(of stretch: JournalStretch, in journal: Journal) throws(ControlError) -> JSON {
        let partition: JournalPartition = stretch.unproven ? .unproven : .main
        let walk: JournalWalk, checkpoints: [JSON]
        do throws(StorageError) {
            walk = try journal.walk(
                partition, after: stretch.after.map { JournalHead(sequence: UInt64(clamping: $0.sequence), hash: $0.hash) },
                limit: JournalStretch.length)
            checkpoints = try walk.checkpoints.map { (kept) throws(StorageError) in try CheckpointReport.json(kept, of: journal) }
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        switch walk.found {
        case .intact(let first, let head):
            return ["first": .integer(Int64(clamping: first)), "sequence": .integer(Int64(clamping: head.sequence)),
                    "head": .string(Hex.encode(head.hash)), "previous": .string(Hex.encode(walk.start.hash)),
                    "checkpoints": .array(checkpoints), "continued": .array(walk.continuations.map(json)), "more": .bool(!walk.isAtEnd)]
        case .broken(let sequence, let why):
            throw ControlError(code: "journal-broken", message: "Record \(sequence) of the \(partition.rawValue) chain: \(why).")
        }
    }

    private static func json(_ continuation: JournalContinuation) -> JSON {
        var fields: JSONObject = ["main": .integer(Int64(clamping: continuation.main))]
        fields["unproven"] = continuation.unproven.map { .integer(Int64(clamping: $0)) }
        return .object(fields)
    }

    private static func json(_ record: JournalRecord) -> JSON {
        let entry = record.entry
        var fields: JSONObject = [
            "sequence": .integer(Int64(clamping: record.sequence)), "kind": .string(entry.kind.rawValue),
            "time": .string(UTCText.make(milliseconds: entry.time.wallMilliseconds)),
            "clock": .string(name(of: entry.time.trust)), "hash": .string(Hex.encode(record.hash))]
        fields["lane"] = entry.lane.map { .string($0) }
        fields["reader"] = entry.reader.map { .string($0) }
        fields["carrier"] = entry.carrier.map { .string($0.rawValue) }
        fields["subject"] = entry.subject.map { .string($0) }
        fields["credential"] = entry.credential.map { .string(Hex.encode($0)) }
        fields["reason"] = entry.reason.map { .string($0) }
        fields["transcript"] = entry.transcriptHash.map { .string(Hex.encode($0)) }
        fields["attempt"] = entry.attempt.map { .integer(Int64(clamping: $0)) }
        if !entry.evidence.isEmpty { fields["evidence"] = .string(Hex.encode(entry.evidence)) }
        if let began = record.attempt { fields["began"] = .string(UTCText.make(milliseconds: began.time.wallMilliseconds)) }
        let detail = JSONObject(entry.detail.map { ($0.key, json(of: $0.value)) })
        if !detail.isEmpty { fields["detail"] = .object(detail) }
        return .object(fields)
    }

    private static func name(of trust: ClockTrust) -> String {
        switch trust {
        case .synchronised: "synchronised"
        case .holdover: "holdover"
        case .untrusted: "untrusted"
        }
    }

    /// Details are small values; whatever has no form of its own in JSON is shown as hex of its CBOR.
    private static func json(of value: CBOR) -> JSON {
        if let text = value.text { return .string(text) }
        if let integer = value.integer { return .integer(integer) }
        if let bool = value.bool { return .bool(bool) }
        return .string(Hex.encode(value.encoded))
    }
}
