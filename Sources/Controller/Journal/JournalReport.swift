import ControlProtocol
import Credentials
import Encoding
import Service
import Storage

/// One page of the audit journal for the control socket.
package enum JournalReport {
    /// The records that `query` wants, oldest first, and where the next page begins.
    package static func page(_ query: JournalQuery, of journal: Journal) throws(StorageError) -> JSON {
        let filter = JournalFilter(
            partition: query.unproven ? .unproven : .main, lane: query.lane, reason: query.reason, kind: query.kind,
            sinceMilliseconds: query.since)
        let records = try journal.read(from: UInt64(query.from), limit: Int(query.limit), filter: filter)
        let next = records.last.map { $0.sequence + 1 } ?? UInt64(query.from)
        let shown = try query.bodies ? collected(records, of: journal) : records.map(\.json)
        return ["records": .array(shown), "next": .integer(Int64(clamping: next)),
                "more": .bool(records.count == Int(query.limit))]
    }

    /// Records that follow one another, as they are collected: each with its body and the hash that it follows from.
    private static func collected(_ records: [JournalRecord], of journal: Journal) throws(StorageError) -> [JSON] {
        guard let first = records.first, let chained = try journal.chained(first.sequence) else { return [] }
        let previous = [chained.previous] + records.map(\.hash)
        return zip(records, previous).map { $0.collected(after: $1) }
    }

    /// A stretch of a chain, from its first record and what that follows from to the one it came to, with the checkpoints on the
    /// way, and whether there is more.
    /// - Throws: `journal-broken` names the first record that does not follow; the journal's own failures.
    package static func verification(of stretch: JournalStretch, in journal: Journal) throws(ControlError) -> JSON {
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
                    "checkpoints": .array(checkpoints), "continued": .array(walk.continuations.map(json)),
                    "exchanges": .string(Hex.encode(walk.transcripts.flatMap { Self.bytes($0, since: first) })), "more": .bool(!walk.isAtEnd)]
        case .broken(let sequence, let why):
            throw ControlError(code: "journal-broken", message: "Record \(sequence) of the \(partition.rawValue) chain: \(why).")
        }
    }

    /// How many records after the first of the stretch, in 4 bytes, and the first 8 of TH_4.
    private static func bytes(_ kept: KeptTranscript, since first: UInt64) -> [UInt8] {
        bigEndian(UInt64(UInt32(truncatingIfNeeded: kept.sequence &- first)), 4) + bigEndian(kept.start, 8)
    }

    private static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    private static func json(_ continuation: JournalContinuation) -> JSON {
        var fields: JSONObject = [
            "sequence": .integer(Int64(clamping: continuation.sequence)), "time": .integer(continuation.milliseconds),
            "main": .integer(Int64(clamping: continuation.main))]
        fields["unproven"] = continuation.unproven.map { .integer(Int64(clamping: $0)) }
        return .object(fields)
    }
}
