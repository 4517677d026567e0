import Testing

@testable import Storage

/// No two rows look alike to a sum over rows.
@Suite("Marks of rows") struct RowMarksTests {
    let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection(path: ":memory:", access: .readWrite, cacheKibibytes: 64)
        try connection.addRowFunctions()
    }

    private func bytes(_ expression: String) throws -> [UInt8] {
        let query = try connection.prepare("SELECT \(expression)")
        return try query.step() ? query.bytes(0) : []
    }

    static let rows = ["", "NULL", "''", "x''", "0", "1", "'1'", "x'31'", "-1", "'a', 'bc'", "'ab', 'c'", "'abc'", "'abc', NULL", "NULL, 'abc'", "256", "'é'", "'e\u{301}'"]

    @Test func eachRowHasAMarkOfItsOwn() throws {
        let marks = try Self.rows.map { try bytes("row_mark(\($0))") }
        #expect(Set(marks).count == Self.rows.count && marks.allSatisfy { $0.count == RowMark.length })
        #expect(try bytes("row_mark('a', 5)") == bytes("row_mark('a', 5)"))
    }

    @Test func whatIsAddedTwiceIsGone() throws {
        #expect(try bytes("row_xor(row_xor(row_mark(1), row_mark(2)), row_mark(1))") == bytes("row_mark(2)"))
        #expect(try bytes("row_xor(row_mark(1), row_mark(1))") == [UInt8](repeating: 0, count: RowMark.length))
    }

    @Test func keysAreSpreadOverAllParts() throws {
        try connection.execute("CREATE TABLE key (part INTEGER)")
        try connection.execute("""
            WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000) INSERT INTO key SELECT row_part('person ' || n) FROM number
            """)
        #expect(try connection.integer("SELECT min(part) FROM key") == 0)
        #expect(try connection.integer("SELECT max(part) FROM key") == Int64(RowMark.parts) - 1)
        #expect(try connection.integer("SELECT max(n) FROM (SELECT count(*) AS n FROM key GROUP BY part)") < 100, "some 24 in each")
    }

    /// As in the office: no trigger of a file runs, and those of the connection do.
    @Test func triggersOfTheConnectionRunAndThoseOfAFileDoNot() throws {
        try connection.execute("CREATE TABLE person (name TEXT); CREATE TABLE sum (part INTEGER)")
        try connection.execute("CREATE TRIGGER planted AFTER INSERT ON person BEGIN INSERT INTO sum VALUES (-1); END")
        try connection.execute("CREATE TEMP TRIGGER own AFTER INSERT ON main.person BEGIN INSERT INTO sum VALUES (row_part(NEW.name)); END")
        try connection.execute("INSERT INTO person VALUES ('anna')")
        #expect(try connection.integer("SELECT count(*) FROM sum") == 1 && connection.integer("SELECT min(part) FROM sum") >= 0)
    }
}
