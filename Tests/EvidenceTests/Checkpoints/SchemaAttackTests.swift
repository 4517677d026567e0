import Foundation
import Testing

@testable import Evidence
@testable import Storage

/// A schema that somebody changed hides records from whoever asks for some of them, and leaves the chain whole.
extension JournalAttackTests {
    /// Changes what the file says of itself, as whoever can write it can.
    func schema(_ change: String) throws {
        try sql("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = \(change); PRAGMA writable_schema = OFF")
    }

    @Test(arguments: [
        // Record 3 is not in the index, and who asks for `expired` does not see it.
        """
        DROP INDEX main_record_by_reason;
        CREATE INDEX main_record_by_reason ON main_record (reason) WHERE reason IS NOT NULL AND reason <> 'granted' AND sequence <> 3
        """,
        "ALTER TABLE main_record RENAME TO hidden; CREATE VIEW main_record AS SELECT * FROM hidden WHERE sequence <> 3",
        """
        ALTER TABLE main_record RENAME TO hidden;
        CREATE VIEW main_record AS WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless)
            SELECT n AS sequence, kind, wall, lane, reason, body, hash FROM endless, (SELECT * FROM hidden LIMIT 1)
        """,
        "CREATE TRIGGER swallow BEFORE INSERT ON main_record BEGIN SELECT RAISE(IGNORE); END",
        "DROP INDEX unproven_record_by_reason", "CREATE TABLE more (x)", "ALTER TABLE main_record ADD COLUMN more TEXT"
    ])
    func aSchemaThatIsNotOursIsSaidToBe(change: String) throws {
        try sql(change)
        #expect(throws: StorageError(.schemaDiffers, "")) { try audit(kept) }
    }

    @Test(arguments: ["replace(sql, 'kind TEXT', 'kind  ANY') WHERE name = 'main_record'", "replace(sql, 'STRICT', '') WHERE name = 'main_record'",
                      "replace(sql, '(reason)', '(reason COLLATE NOCASE)') WHERE name = 'main_record_by_reason'"])
    func aTypeChangedByAFewBitsIsSaidToBe(change: String) throws {
        try schema(change)
        #expect(throws: StorageError(.schemaDiffers, "")) { try audit(kept) }
    }

    /// The statement is ours again, what it made is not.
    @Test func anIndexThatLacksARecordIsFoundUnderItsOwnName() throws {
        let ours = "CREATE INDEX main_record_by_reason ON main_record (reason) WHERE reason IS NOT NULL AND reason <> ''granted''"
        try sql("DROP INDEX main_record_by_reason; \(ours.replacingOccurrences(of: "''", with: "'")) AND sequence <> 3")
        try schema("'\(ours)' WHERE name = 'main_record_by_reason'")
        #expect(throws: StorageError(.corrupt, "")) { try audit(kept) }
    }

    /// Bytes in the place of a text read the same, and no condition finds them.
    @Test(arguments: ["kind", "lane", "reason"]) func aValueOfAnotherTypeIsFound(column: String) throws {
        try schema("replace(sql, 'STRICT', '/**/') WHERE name = 'main_record'")
        try sql("UPDATE main_record SET \(column) = CAST(\(column) AS BLOB) WHERE sequence = 6")
        try schema("replace(sql, '/**/', 'STRICT') WHERE name = 'main_record'")
        #expect(throws: StorageError(.corrupt, "")) { try audit(kept) }
    }
}
