import CSQLite
import Credentials
import Encoding
import Foundation
import Testing
import Threads
import Waits

@testable import Storage

/// A journal in a folder of its own, with a clock that the test turns.
final class JournalFixture: Sendable {
    let folder: TemporaryFolder
    let system = FaultyFileSystem()
    let clock = Monitor<Int64>(1_000)
    let incidents = Monitor<[JournalIncident]>([])
    let boot = [UInt8](repeating: 0xb0, count: 16)
    let settings: JournalSettings

    init(settings: JournalSettings = JournalSettings()) throws {
        folder = try TemporaryFolder()
        self.settings = settings
    }

    /// 2026-01-01 plus the monotonic time.
    var now: JournalTime {
        let monotonic = clock.withLock { $0 }
        return JournalTime(wallMilliseconds: 1_767_225_600_000 + monotonic, trust: .synchronised, monotonicMilliseconds: monotonic)
    }

    func open() throws -> (journal: Journal, recovery: JournalRecovery) {
        try Journal.open(
            directory: folder.path, boot: boot, settings: settings, fileSystem: system.name,
            time: { [self] in now }, onIncident: { [self] incident in incidents.change { $0.append(incident) } })
    }

    /// So many granted taps, each on the disk before the next.
    func tap(_ journal: Journal, _ count: Int) throws {
        for _ in 0..<count {
            let attempt = journal.append(attempt())
            #expect(attempt.durable())
            var outcome = outcome(of: attempt.sequence)
            // As long as a token and the proof that came with it.
            outcome.evidence = [UInt8](repeating: 3, count: 600)
            #expect(journal.append(outcome).durable())
        }
    }

    func attempt(_ lane: String = "north") -> JournalEntry {
        JournalEntry(
            kind: .attempt, time: now, lane: lane, reader: "desk", carrier: .nfc,
            transcriptHash: [UInt8](repeating: 0x22, count: 32))
    }

    func outcome(of attempt: UInt64?, lane: String = "north", subject: String = "ada", reason: String = "granted") -> JournalEntry {
        JournalEntry(
            kind: .outcome, time: now, lane: lane, reader: "desk", carrier: .nfc, attempt: attempt, subject: subject,
            credential: [UInt8](repeating: 7, count: 32), reason: reason, evidence: [1, 2, 3], detail: ["command": "tokn"])
    }

    func failure(of attempt: UInt64?, lane: String = "north", reason: String = "malformed") -> JournalEntry {
        JournalEntry(kind: .outcome, time: now, lane: lane, attempt: attempt, reason: reason, isProven: false)
    }

    func service(_ reason: String) -> JournalEntry { JournalEntry(kind: .service, time: now, reason: reason) }

    /// Writes a service's record anew as whoever may write to the file could: it follows from the one before it.
    /// - Returns: its hash.
    func forge(_ reason: String, at sequence: UInt64, after previous: [UInt8]) throws -> [UInt8] {
        let entry = service(reason)
        let body = JournalBody.encode(entry, partition: .main, sequence: sequence, boot: boot, attemptBody: nil)
        let hash = JournalChain.hash(after: previous, body: body)
        try sql("""
            UPDATE main_record SET reason = '\(reason)', body = x'\(Hex.encode(body))', hash = x'\(Hex.encode(hash))'
            WHERE sequence = \(sequence)
            """)
        return hash
    }

    /// Runs one statement over a connection of the test's own.
    func sql(_ statement: String) throws {
        let connection = try SQLiteConnection(path: folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64)
        try connection.execute(statement)
    }
}

extension JournalTicket {
    /// Waits as long as a test waits for anything.
    func settled() -> JournalTicketState { wait(milliseconds: WaitLimit.milliseconds) }

    /// Waits for the disk through failures, as a lane does.
    func durable() -> Bool {
        _ = waitUntilDurable(untilMonotonicMilliseconds: WaitLimit.deadline)
        return isDurable
    }
}
