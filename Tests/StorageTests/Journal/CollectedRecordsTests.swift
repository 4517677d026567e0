import Encoding
import Testing

@testable import Storage

/// What was collected is a part of the chain that stands on its own.
@Suite struct CollectedRecordsTests {
    /// Some taps, as `tapstile journal --bodies` gives them.
    func lines(from sequence: UInt64 = 1) throws -> [[UInt8]] {
        let fixture = try JournalFixture()
        let journal = try fixture.open().journal
        try fixture.tap(journal, 5)
        let records = try journal.read(from: sequence, limit: 99)
        let previous = [try journal.chained(sequence)?.previous ?? []] + records.map(\.hash)
        return zip(records, previous).map { $0.collected(after: $1).canonical }
    }

    func walk(_ lines: [[UInt8]]) throws -> CollectedRecords {
        var records = CollectedRecords()
        for line in lines { _ = try records.receive(line) }
        return records
    }

    func changed(_ line: [UInt8], _ name: String, _ value: JSON?) throws -> [UInt8] {
        guard case .object(var fields) = try JSON.parse(line) else { return line }
        fields[name] = value
        return JSON.object(fields).canonical
    }

    @Test func aPartIsWalkedAlongFromItsFirstRecord() throws {
        let records = try walk(lines(from: 3))
        #expect(records.first == 3 && records.head.sequence == 5)
        #expect(records.place(of: 1) == .letGo && records.place(of: 5) == .hash(records.head.hash) && records.place(of: 6) == .beyond)
        guard case .hash(let before) = records.place(of: 2) else {
            Issue.record("the first record says what it follows from")
            return
        }
        #expect(before.count == 32)
    }

    @Test func whatPeopleReadIsWhatIsHashed() throws {
        let lines = try lines()
        for (name, value) in [("subject", JSON.string("mallory")), ("lane", nil), ("time", "2026-01-01T00:00:00.000Z"), ("more", 1)] as [(String, JSON?)] {
            var other = lines
            other[2] = try changed(lines[2], name, value)
            #expect(throws: StorageError(.recordDamaged, "")) { try walk(other) }
        }
    }

    @Test func whatIsMissingOrMovedIsNoticed() throws {
        let lines = try lines()
        for order in [[0, 2], [1, 0], [0, 1, 1], [0, 3, 4]] {
            #expect(throws: StorageError(.recordDamaged, "")) { try walk(order.map { lines[$0] }) }
        }
        for line in [Array("{}".utf8), Array("nothing".utf8), Array(lines[0].dropLast())] {
            #expect(throws: StorageError(.recordDamaged, "")) { try walk([line]) }
        }
        let forged = try changed(lines[0], "previous", .string(String(repeating: "00", count: 32)))
        #expect(forged == lines[0], "the first follows from nothing")
        #expect(throws: StorageError(.recordDamaged, "")) {
            try walk([lines[0], changed(lines[1], "previous", .string(String(repeating: "00", count: 32)))])
        }
    }
}
