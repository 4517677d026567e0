import Foundation
import Glibc
import Testing
import Waits

@testable import Evidence
@testable import Storage

/// A copy that somebody was handed as evidence: it is looked at, and handed on as it was.
extension JournalAttackTests {
    /// Every file of a folder, with its bytes.
    static func contents(of folder: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        return contents
    }

    /// A gate that was killed: its newest records are in the log alone.
    func copyWithLog(_ body: (_ folder: String) throws -> Void) throws {
        let copied = "\(folder)/copied", key = key
        try FileManager.default.createDirectory(atPath: copied, withIntermediateDirectories: false)
        let (journal, _) = try Journal.open(directory: folder, boot: [2], time: { Self.time }, checkpoint: { Self.sign($0, key) })
        let tickets = (1...9).map { journal.append(JournalEntry(kind: .service, time: Self.time, reason: "n\($0)")) }
        for ticket in tickets { _ = ticket.waitUntilDurable(untilMonotonicMilliseconds: WaitLimit.deadline) }
        for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + suffix, toPath: "\(copied)/journal.db\(suffix)") }
        journal.close()
        try body(copied)
    }

    @Test func theLogIsReadAndNeitherFoldedNorRemoved() throws {
        try copyWithLog { copied in
            let before = try Self.contents(of: copied)
            #expect(before["journal.db-wal"]?.isEmpty == false)
            let copy = try JournalCopy(path: "\(copied)/journal.db")
            guard case .intact(_, let head) = try copy.verify(.main) else {
                Issue.record("it is whole")
                return
            }
            #expect(try copy.read(reason: "n9", limit: 1).first?.sequence ?? .max <= head.sequence, "what is in the log alone")
            #expect(try Self.contents(of: copied) == before)
        }
    }

    /// What lies behind a bit that was flipped in the log is still there for whoever knows how to read it.
    @Test func aLogWithAFlippedBitIsNotThrownAway() throws {
        try copyWithLog { copied in
            let log = URL(fileURLWithPath: "\(copied)/journal.db-wal")
            var bytes = try Data(contentsOf: log)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: log)
            let before = try Self.contents(of: copied)
            for _ in 1...2 { _ = try? JournalCopy(path: "\(copied)/journal.db").verify(.main) }
            #expect(try Self.contents(of: copied) == before)
        }
    }

    @Test(arguments: ["", "-wal"]) func aPipeIsNotWaitedFor(suffix: String) throws {
        let pipe = "\(folder)/pipe.db"
        if !suffix.isEmpty { try FileManager.default.copyItem(atPath: path, toPath: pipe) }
        #expect(mkfifo(pipe + suffix, 0o600) == 0)
        #expect(throws: StorageError(.corrupt, "")) { try JournalCopy(path: pipe) }
        #expect(throws: StorageError(.corrupt, "")) { try JournalCopy(path: "/dev/zero") }
    }

    /// A file of a terabyte takes whoever makes it one command.
    @Test(arguments: ["", "-wal"]) func aFileOfHolesIsNotReadToItsEnd(suffix: String) throws {
        let hollow = "\(folder)/hollow.db"
        try FileManager.default.copyItem(atPath: path, toPath: hollow)
        if !suffix.isEmpty { try Data().write(to: URL(fileURLWithPath: hollow + suffix)) }
        try #require(truncate(hollow + suffix, 1 << 28) == 0)
        do throws(StorageError) {
            _ = try JournalCopy(path: hollow)
            Issue.record("it was read")
        } catch {
            #expect(error.kind == .corrupt && error.message.contains("holes"))
        }
    }

    @Test func whatNeverEndsIsEnded() throws {
        let connection = try SQLiteConnection(path: path, access: .immutable, cacheKibibytes: 64)
        let limit = StepLimit(of: connection, steps: 1_000_000)
        #expect(throws: StorageError(.corrupt, "")) {
            try connection.execute("WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT max(n) FROM endless")
        }
        withExtendedLifetime(limit) {}
    }

    @Test func itSaysWhoseJournalItIs() throws {
        var review = CheckpointReview(trust: CheckpointTrust(keys: [key.publicKey]))
        func write(_ gate: String, _ main: UInt64) throws {
            let reach = JournalReach(main: JournalReach.Chain(first: 1, head: JournalHead(sequence: main, hash: JournalHead.none.hash)),
                                     unproven: JournalReach.Chain(first: 1, head: .none))
            review.examine(try #require(Self.sign(reach, key, gate: gate)).evidence, at: main + 1, main: .letGo, unproven: .letGo)
        }
        try write("gate-1", 5)
        #expect(review.owner == CheckpointReview.Owner(site: "north", gate: "gate-1") && review.holds)
        try write("gate-2", 9)
        #expect(review.findings.map(\.fault) == [.otherGate], "one journal is that of one gate")
        let chain = ChainResult(first: 1, last: 9, hash: [])
        let verdict = JournalVerdict(main: chain, unproven: chain, review: review, outside: nil, isKeyGiven: true, isOwnerGiven: false)
        #expect(verdict.lines.first == "The journal of gate 'gate-1' of site 'north', as its checkpoints say.")
        #expect(verdict.lines.contains("The checkpoints in records 10 to 10 are signed as gate 'gate-2' of site 'north'."))
        #expect(verdict.limits.contains { $0.contains("Nobody said whose journal") })
        #expect(verdict.json["site"] == "north" && verdict.json["gate"] == "gate-1")
    }
}
