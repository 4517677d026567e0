import Credentials
import Cryptography
import Encoding
import Foundation
import Testing
import Waits

@testable import Evidence
@testable import Storage

/// What somebody can do to a journal's file, and who finds it. The auditor has the audit key and, where that says so, a
/// checkpoint that was kept elsewhere.
@Suite("Attacks on a journal") final class JournalAttackTests {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tapstile-audit-\(UUID().uuidString)").path
    let key: SigningKey
    /// A checkpoint that an auditor took away, and one from the very end.
    let kept, last: SignedCheckpoint
    var path: String { "\(folder)/journal.db" }

    static let time = JournalTime(wallMilliseconds: 1_767_225_600_000, trust: .synchronised, monotonicMilliseconds: 1000)

    static func sign(_ reach: JournalReach, _ key: SigningKey, site: String = "north", gate: String = "gate-1") -> JournalEntry? {
        func extent(_ chain: JournalReach.Chain) -> ChainExtent {
            ChainExtent(first: chain.first, sequence: chain.head.sequence, hash: chain.head.hash, keeps: chain.keeps)
        }
        let checkpoint = Checkpoint(site: site, gate: gate, milliseconds: time.wallMilliseconds, clock: .synchronised,
                                    main: extent(reach.main), unproven: extent(reach.unproven))
        return (try? SignedCheckpoint.sign(checkpoint, key: key)).map { JournalEntry(kind: .checkpoint, time: time, evidence: $0.raw) }
    }

    /// 40 taps; a checkpoint is made after every tenth, and the gate stops in order.
    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = try SigningKey.generate(.p256)
        self.key = key
        let (journal, _) = try Journal.open(
            directory: folder, boot: [1], settings: JournalSettings(failureWindowMilliseconds: 0), time: { Self.time },
            checkpoint: { Self.sign($0, key) })
        var taken: [SignedCheckpoint] = []
        for number in 1...40 {
            let attempt = journal.append(JournalEntry(kind: .attempt, time: Self.time, lane: "entry", reader: "r", carrier: .nfc))
            let outcome = journal.append(JournalEntry(
                kind: .outcome, time: Self.time, lane: "entry", attempt: attempt.sequence, subject: "person \(number)",
                reason: number % 3 == 0 ? "expired" : "granted", evidence: [UInt8(number)]))
            guard case .durable = outcome.wait(milliseconds: WaitLimit.milliseconds) else { preconditionFailure("a disk in order") }
            if number % 10 == 0, let made = journal.checkpoint() {
                taken.append(try SignedCheckpoint(parsing: made.entry.evidence))
                _ = made.ticket.wait(milliseconds: WaitLimit.milliseconds)
            }
        }
        journal.close()
        kept = taken[2]
        last = taken[3]
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    // The auditor ------------------------------------------------------------------------------------

    enum Found: Equatable {
        case nothing
        /// The chain is broken at this record.
        case broken(UInt64)
        /// Checkpoints speak against it.
        case faults([CheckpointFault])
    }

    func audit(_ outside: SignedCheckpoint? = nil, key other: SigningKey? = nil) throws -> Found {
        let copy = try JournalCopy(path: path)
        let trust = CheckpointTrust(keys: [(other ?? key).publicKey], site: "north", gate: "gate-1")
        var review = CheckpointReview(trust: trust)
        func place(_ sequence: UInt64, _ partition: JournalPartition) throws(StorageError) -> ChainPlace {
            switch try copy.place(of: sequence, in: partition) {
            case .hash(let hash): .hash(hash)
            case .letGo: .letGo
            case .beyond: .beyond
            }
        }
        var results: [JournalPartition: ChainResult] = [:], continuations: [JournalContinuation] = []
        for partition in JournalPartition.allCases {
            let found = try copy.verify(partition, onCheckpoint: { (kept) throws(StorageError) in
                let said = (try? SignedCheckpoint(parsing: kept.bytes))?.checkpoint
                review.examine(kept.bytes, at: kept.sequence, main: try place(said?.main.sequence ?? 0, .main),
                               unproven: try place(said?.unproven.sequence ?? 0, .unproven))
            }, onContinuation: { continuations.append($0) }, onTranscript: { review.passed(transcript: $0.start, at: $0.sequence) })
            switch found {
            case .intact(let first, let head): results[partition] = ChainResult(first: first, last: head.sequence, hash: head.hash)
            case .broken(let sequence, _): return .broken(sequence)
            }
        }
        for said in continuations {
            review.continued(ChainContinuation(
                sequence: said.sequence, milliseconds: said.milliseconds, main: said.main, unproven: said.unproven))
        }
        review.finish(main: results[.main], unproven: results[.unproven])
        var faults = review.findings.map(\.fault)
        if let outside {
            let comparison = OutsideComparison(
                outside, trust: trust, main: try place(outside.checkpoint.main.sequence, .main),
                unproven: try place(outside.checkpoint.unproven.sequence, .unproven),
                loss: review.loss(
                    since: outside.checkpoint, main: try #require(results[.main]), unproven: try #require(results[.unproven])))
            faults = (comparison.fault.map { [$0] } ?? []) + faults
        }
        return faults.isEmpty ? .nothing : .faults(faults)
    }

    // The attacker -----------------------------------------------------------------------------------

    func sql(_ statements: String) throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64)
        try connection.execute(statements)
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    func records(_ partition: JournalPartition = .main) throws -> [(sequence: UInt64, body: [UInt8], hash: [UInt8])] {
        let connection = try SQLiteConnection(path: path, access: .readWrite, cacheKibibytes: 64)
        let rows = try connection.prepare("SELECT sequence, body, hash FROM \(partition.table) ORDER BY sequence")
        var found: [(UInt64, [UInt8], [UInt8])] = []
        while try rows.step() { found.append((UInt64(rows.integer(0)), rows.bytes(1), rows.bytes(2))) }
        return found
    }

    /// Writes all hashes from a record on anew, as whoever knows the format can.
    func rehash(from sequence: UInt64, _ change: (UInt64, [UInt8]) -> [UInt8]) throws {
        var previous = [UInt8](repeating: 0, count: 32), statements = ""
        for record in try records() {
            let body = record.sequence < sequence ? record.body : change(record.sequence, record.body)
            let hash = record.sequence < sequence ? record.hash : SHA256.hash(previous + body)
            statements += "UPDATE main_record SET body = x'\(Hex.encode(body))', hash = x'\(Hex.encode(hash))' WHERE sequence = \(record.sequence);"
            previous = hash
        }
        try sql(statements)
    }

    /// The body with one person made another.
    static func renamed(_ body: [UInt8]) -> [UInt8] {
        guard let item = try? CBOR.decode(body), var map = item.map, map[13]?.text != nil else { return body }
        map[13] = "mallory"
        return CBOR.map(map).encoded
    }

    // Attacks ----------------------------------------------------------------------------------------

    @Test func anUntouchedJournalHolds() throws {
        #expect(try audit() == .nothing)
        #expect(try audit(kept) == .nothing)
        #expect(try audit(last) == .nothing)
    }

    @Test(arguments: ["kind = 'mode'", "wall = wall + 1", "lane = 'exit'", "lane = NULL", "reason = 'revoked'", "reason = NULL",
                      "hash = zeroblob(32)", "hash = x'00'", "body = x''", "body = x'a0'", "body = (SELECT body FROM main_record WHERE sequence = 16)"])
    func eachColumnIsHeldAgainstTheOthers(change: String) throws {
        try sql("UPDATE main_record SET \(change) WHERE sequence = 17")
        #expect(try audit() == .broken(17))
    }

    @Test func eachByteOfABodyCounts() throws {
        let record = try records()[16]
        for place in record.body.indices {
            var body = record.body
            body[place] ^= 1
            try sql("UPDATE main_record SET body = x'\(Hex.encode(body))' WHERE sequence = 17")
            #expect(try audit() == .broken(17), "byte \(place)")
        }
    }

    @Test(arguments: [UInt64(1), 2, 17, 30, 43])
    func aDroppedRecordIsNamed(sequence: UInt64) throws {
        try sql("DELETE FROM main_record WHERE sequence = \(sequence)")
        #expect(try audit() == .broken(sequence == 1 ? 2 : sequence + 1))
    }

    @Test func theOldestCannotGoWithoutAnAnchor() throws {
        try sql("DELETE FROM main_record WHERE sequence <= 20")
        #expect(try audit() == .broken(21))
        // With an anchor it looks like what the ring lets go, but for what the checkpoints say that it kept.
        let hash = try records()[0].hash
        try sql("INSERT OR REPLACE INTO anchor VALUES ('main', 21, x'\(Hex.encode(hash))'); DELETE FROM main_record WHERE sequence = 21")
        #expect(try audit() == .faults([.droppedEarly]))
    }

    @Test func anAnchorThatLiesIsFound() throws {
        try sql("INSERT OR REPLACE INTO anchor VALUES ('main', 20, zeroblob(32)); DELETE FROM main_record WHERE sequence <= 20")
        #expect(try audit() == .broken(21))
    }

    @Test func swappedRecordsAreFound() throws {
        try sql("UPDATE main_record SET sequence = 1000 WHERE sequence = 5; UPDATE main_record SET sequence = 5 WHERE sequence = 6;"
            + "UPDATE main_record SET sequence = 6 WHERE sequence = 1000")
        #expect(try audit() == .broken(5))
    }

    @Test func aRecordPutInTwiceIsFound() throws {
        let end = try records().count
        try sql("INSERT INTO main_record SELECT \(end + 1), kind, wall, lane, reason, body, hash FROM main_record WHERE sequence = 7")
        #expect(try audit() == .broken(UInt64(end + 1)))
    }

    @Test func aRecordOfTheOtherChainIsFound() throws {
        try sql("DELETE FROM unproven_record WHERE sequence = 3; INSERT INTO unproven_record SELECT 3, kind, wall, lane, reason, body, hash "
            + "FROM main_record WHERE sequence = 3")
        #expect(try audit() == .broken(3))
    }

    @Test func aCutTailIsFoundByACheckpointFromOutsideAndByNothingElse() throws {
        try sql("DELETE FROM main_record WHERE sequence > 25")
        #expect(try audit() == .nothing, "documents say so plainly")
        #expect(try audit(kept) == .faults([.cut]))
    }

    @Test func aCutTailOfWhatNobodyProvedIsFoundByTheCheckpointsInTheChain() throws {
        try sql("DELETE FROM unproven_record WHERE sequence > 25")
        #expect(try audit() == .faults([.cut, .cut]), "after attempts 30 and 40")
    }

    @Test func aChainWrittenAnewIsFoundByTheCheckpointsInIt() throws {
        try rehash(from: 3) { _, body in Self.renamed(body) }
        let expected = [CheckpointFault](repeating: .rewritten, count: try records().filter { JournalBody.decode($0.body, hash: [])?.entry.kind == .checkpoint }.count)
        #expect(try audit() == .faults(expected))
        #expect(try audit(kept) == .faults([.rewritten] + expected))
    }

    @Test func theTailAfterTheLastCheckpointCanBeWrittenAnew() throws {
        // Without the checkpoint of the orderly end, which a power cut would not have left either.
        let end = try records().count
        try sql("DELETE FROM main_record WHERE sequence = \(end)")
        try rehash(from: UInt64(end - 1)) { _, body in Self.renamed(body) }
        #expect(try audit() == .nothing, "documents say so plainly")
    }

    /// Whoever takes the checkpoints out of a chain that they write anew is found by one from outside.
    @Test func aChainWrittenAnewWithoutCheckpointsNeedsOneFromOutside() throws {
        var previous = [UInt8](repeating: 0, count: 32), sequence: UInt64 = 0, statements = "DELETE FROM main_record;"
        for record in try records() {
            guard let entry = JournalBody.decode(record.body, hash: [])?.entry, entry.kind != .checkpoint else { continue }
            sequence += 1
            var other = entry
            other.subject = "mallory"
            let body = JournalBody.encode(other, partition: .main, sequence: sequence, boot: [1], attemptBody: nil)
            previous = SHA256.hash(previous + body)
            statements += "INSERT INTO main_record VALUES (\(sequence), '\(other.kind.rawValue)', \(other.time.wallMilliseconds), "
                + "\(other.lane.map { "'\($0)'" } ?? "NULL"), \(other.reason.map { "'\($0)'" } ?? "NULL"), x'\(Hex.encode(body))', x'\(Hex.encode(previous))');"
        }
        try sql(statements)
        #expect(try audit() == .nothing, "documents say so plainly")
        #expect(try audit(kept) == .faults([.rewritten]))
        #expect(try audit(last) == .faults([sequence < last.checkpoint.main.sequence ? .cut : .rewritten]))
    }

    /// A forger with a key of their own: the auditor's key tells.
    @Test func checkpointsSignedAnewByAnotherKeyAreFound() throws {
        let forger = try SigningKey.generate(.p256)
        try rehash(from: 1) { sequence, body in
            guard let entry = JournalBody.decode(body, hash: [])?.entry, entry.kind == .checkpoint,
                  let said = (try? SignedCheckpoint(parsing: entry.evidence))?.checkpoint,
                  let other = try? SignedCheckpoint.sign(said, key: forger) else { return body }
            var signed = entry
            signed.evidence = other.raw
            return JournalBody.encode(signed, partition: .main, sequence: sequence, boot: [1], attemptBody: nil)
        }
        guard case .faults(let faults) = try audit() else {
            Issue.record("nobody noticed")
            return
        }
        #expect(Set(faults) == [.keyUnknown])
    }

    @Test func aCheckpointOfAnotherPlaceInTheSameChainIsFound() throws {
        let places = try records().filter { JournalBody.decode($0.body, hash: [])?.entry.kind == .checkpoint }
        let first = try #require(JournalBody.decode(places[0].body, hash: [])?.entry.evidence)
        try rehash(from: places[1].sequence) { sequence, body in
            guard sequence == places[1].sequence, var entry = JournalBody.decode(body, hash: [])?.entry else { return body }
            entry.evidence = first
            return JournalBody.encode(entry, partition: .main, sequence: sequence, boot: [1], attemptBody: nil)
        }
        // It holds where it stands now, and no newer one does.
        guard case .faults(let faults) = try audit() else {
            Issue.record("nobody noticed")
            return
        }
        #expect(Set(faults) == [.rewritten])
    }

    @Test func aCheckpointOfAnotherGateSiteOrKeyIsRefused() throws {
        let reach = JournalReach(main: JournalReach.Chain(first: 1, head: JournalHead(sequence: 5, hash: try records()[4].hash)),
                                 unproven: JournalReach.Chain(first: 1, head: .none))
        for (site, gate) in [("north", "gate-2"), ("south", "gate-1")] {
            let other = try SignedCheckpoint(parsing: #require(Self.sign(reach, key, site: site, gate: gate)).evidence)
            #expect(try audit(other) == .faults([.otherGate]))
        }
        let stranger = try SignedCheckpoint(parsing: #require(Self.sign(reach, try SigningKey.generate(.p256))).evidence)
        #expect(try audit(stranger) == .faults([.keyUnknown]))
        let ours = try SignedCheckpoint(parsing: #require(Self.sign(reach, key)).evidence)
        #expect(try audit(ours) == .nothing)
    }

    @Test func aCheckpointOlderThanTheRingCannotBeCompared() throws {
        let hash = try records()[34].hash
        try sql("INSERT OR REPLACE INTO anchor VALUES ('main', 35, x'\(Hex.encode(hash))'); DELETE FROM main_record WHERE sequence <= 35")
        #expect(kept.checkpoint.main.sequence < 35)
        #expect(try audit(kept) == .faults([.tooOld, .droppedEarly]))
        #expect(try audit(last) == .faults([.droppedEarly, .droppedEarly]))
    }

    @Test func aFileThatIsNoJournalIsSaidToBe() throws {
        for bytes in [[], Array("SQLite format 3".utf8), [UInt8](repeating: 7, count: 5000)] {
            let path = "\(folder)/other.db"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(throws: StorageError(.corrupt, "")) { try JournalCopy(path: path) }
        }
        #expect(throws: StorageError(.cannotOpen, "")) { try JournalCopy(path: "\(folder)/none.db") }
    }
}
