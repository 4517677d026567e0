import Foundation
import Glibc
import SeededNumbers
import Testing
import Threads
import Waits

@testable import Storage

/// The program is killed, or the power goes, at any moment: what was acknowledged is there.
@Suite struct JournalCrashTests {
    /// A writer in a process of its own, and what it has said so far.
    private final class Victim {
        private let process = Process()
        private let output = Pipe()
        private var rest = ""

        init(folder: String) throws {
            // The programs lie beside the tests' own one.
            let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            process.executableURL = URL(fileURLWithPath: here).deletingLastPathComponent().appendingPathComponent("journal-writer")
            process.arguments = [folder]
            process.standardOutput = output
            try process.run()
        }

        /// The next line; nil after its end, then possibly without a last, half one.
        func line() throws -> String? {
            while true {
                if let end = rest.firstIndex(of: "\n") {
                    defer { rest = String(rest[rest.index(after: end)...]) }
                    return String(rest[..<end])
                }
                try waitForInput(output.fileHandleForReading.fileDescriptor, "the writer's next line")
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { return nil }
                rest += String(decoding: more, as: UTF8.self)
            }
        }

        /// SIGKILL; answers the lines that had been said.
        func kill() throws -> [String] {
            Glibc.kill(process.processIdentifier, SIGKILL)
            var lines: [String] = []
            while let line = try line() { lines.append(line) }
            try process.finish()
            return lines
        }
    }

    @Test func whatWasAcknowledgedSurvivesKilling() throws {
        let folder = try TemporaryFolder()
        var random = SeededNumbers(seed: 15)
        var newest: UInt64 = 0
        var said: [UInt64: String] = [:]
        for round in 1...15 {
            let victim = try Victim(folder: folder.path)
            let opened = try #require(try victim.line())
            // At most the one attempt of the tap that was going on, nothing damaged, nothing cut off.
            #expect(opened == "opened 0 true true" || (round > 1 && opened == "opened 1 true true"))
            var lines: [String] = []
            for _ in 0..<Int.random(in: 1...150, using: &random) { lines.append(try #require(try victim.line())) }
            letTimePass(.microseconds(Int.random(in: 0...2000, using: &random)), because: "it is killed at any moment")
            lines += try victim.kill()
            for line in lines {
                let words = line.split(separator: " ")
                try #require(words.first == "durable" && words.count == 3, "\(line)")
                let sequence = try #require(UInt64(words[1]))
                #expect(sequence > newest)
                newest = sequence
                said[sequence] = String(words[2])
            }
            let check = try SQLiteConnection(path: folder.path("journal.db"), access: .readWrite, cacheKibibytes: 64)
            let statement = try check.prepare("PRAGMA integrity_check")
            #expect(try statement.step() && statement.text(0) == "ok")
        }
        let time = JournalTime(wallMilliseconds: 0, trust: .untrusted, monotonicMilliseconds: 0)
        let (journal, recovery) = try Journal.open(directory: folder.path, boot: [2], time: { time })
        #expect(recovery.setAside == nil && recovery.missingAfter == nil)
        #expect(journal.head.sequence >= newest)
        let kept = Dictionary(uniqueKeysWithValues: try journal.read(from: 1, limit: 10_000).map { ($0.sequence, $0.hash) })
        // The state is that of the newest outcome, neither older nor newer.
        let granted = try journal.read(from: 1, limit: 10_000, filter: JournalFilter(reason: "granted")).last?.entry.attempt
        #expect(recovery.state.presences.map(\.since) == [Int64(try #require(granted))])
        for (sequence, hash) in said where sequence >= journal.status.firstSequence {
            #expect(kept[sequence]?.map { String($0, radix: 16) }.joined(separator: ".") == hash)
        }
        for partition in JournalPartition.allCases {
            guard case .intact = try journal.verify(partition) else {
                Issue.record("the \(partition.rawValue) chain is broken")
                return
            }
        }
    }

    /// One moment at which the power might go: what was on the disk, and the newest record whose ticket
    /// had been seen durable.
    private struct Cut {
        let disk: [String: Data]
        let acknowledged: UInt64
    }

    @Test func whatWasAcknowledgedSurvivesPowerCuts() throws {
        let fixture = try JournalFixture(settings: JournalSettings(maximumRecords: 100))
        let disk = Monitor<[String: Data]>([:])
        let acknowledged = Monitor<UInt64>(0)
        let cuts = Monitor<[Cut]>([])
        let syncs = Monitor(0)
        let looks = Monitor(0)
        let newest = Monitor<[String: Int]>([:])
        // Only what was synced counts: each file as it was at its last sync, nothing of what came after.
        fixture.system.watchSyncs { path in
            // Asked before the disk is looked at: the other thread may sync and acknowledge meanwhile.
            let known = acknowledged.withLock { $0 }
            let name = (path as NSString).lastPathComponent
            let look = looks.withLock { looks -> Int in
                looks += 1
                return looks
            }
            guard let bytes = FileManager.default.contents(atPath: path) else { return }
            let now = disk.withLock { disk -> [String: Data] in
                // Two threads sync the log: who looked first must not undo what the other has seen since.
                guard look > newest.withLock({ $0[name, default: 0] }) else { return disk }
                newest.withLock { $0[name] = look }
                // A new journal gets its name only when it is complete, and the folder is synced then.
                if !name.hasPrefix("journal.db.new"), let complete = disk["journal.db.new"] {
                    disk = ["journal.db": complete]
                }
                disk[name] = bytes
                // The first sync of a log syncs the folder too, and with it that the rollback journal went.
                if name.hasSuffix("-wal") { disk[name.replacing("-wal", with: "-journal")] = nil }
                return disk
            }
            let number = syncs.withLock { count -> Int in
                count += 1
                return count
            }
            guard name == "journal.db" || number % 17 == 0 else { return }
            cuts.withLock { $0.append(Cut(disk: now, acknowledged: known)) }
        }
        let (journal, _) = try fixture.open()
        for number in 1...450 as ClosedRange<UInt64> {
            let attempt = journal.append(fixture.attempt())
            #expect(journal.append(fixture.outcome(of: attempt.sequence, subject: "n\(number)")).durable())
            acknowledged.withLock { $0 = number }
        }
        journal.close()
        let all = cuts.withLock { $0 }
        #expect(all.count > 20)
        // The log mover and the orderly end have synced the database itself.
        #expect(all.contains { $0.acknowledged > 0 && $0.acknowledged < 450 && $0.disk["journal.db"] != nil })
        for cut in all {
            let after = try JournalFixture()
            for (name, bytes) in cut.disk { try after.folder.write([UInt8](bytes), to: name) }
            let (again, recovery) = try after.open()
            #expect(recovery.setAside == nil)
            #expect(again.head.sequence >= cut.acknowledged)
            guard case .intact = try again.verify() else {
                Issue.record("broken after \(cut.acknowledged)")
                return
            }
            if cut.acknowledged > 0 {
                #expect(try again.read(from: cut.acknowledged, limit: 1).first?.entry.subject == "n\(cut.acknowledged)")
            }
        }
    }
}
