import Storage

/// A value of a row may become another that is as good: a person another person, an end a later one, a row none. For each table of people a
/// sum over its rows is kept in parts, and changes with each change in the same transaction. What was changed by anything but this program is found.
/// Who can run this program, or reckons the sums anew, is not.
extension AuthorityDatabase {
    /// An older program would change rows and not the sums: it does not open a database of this one. A column that comes later belongs into a further
    /// step that begins the sums anew; then this one keeps the columns of today.
    static let rowSumStep = """
        CREATE TABLE row_sum (
            place TEXT NOT NULL, part INTEGER NOT NULL, mark BLOB NOT NULL, PRIMARY KEY (place, part)
        ) STRICT, WITHOUT ROWID;

        """ + SummedTable.all.map(\.beginning).joined()

    /// Holds each row to the sums that were kept.
    /// - Throws: `database-corrupt`, with the table and the rows among which the changed one is.
    func checkRowSums() throws(AuthorityError) {
        for table in SummedTable.all {
            // Each row that is as it was, and nothing else, ends what its part of the sum begins.
            var rest = [UInt8](repeating: 0, count: RowMark.parts * RowMark.length)
            let kept = try prepare("SELECT part, mark FROM row_sum WHERE place = ?1")
            kept.bind(table.name, at: 1)
            try Self.add(kept, to: &rest)
            try Self.add(prepare("SELECT \(table.part("")), \(table.mark("")) FROM \(table.name)"), to: &rest)
            guard let wrong = rest.firstIndex(where: { $0 != 0 }) else { continue }
            let found = try description(of: wrong / RowMark.length, table)
            throw .damaged(found)
        }
    }

    private static func add(_ marks: SQLiteStatement, to sums: inout [UInt8]) throws(AuthorityError) {
        defer { marks.reset() }
        while try marks.next() {
            let part = marks.integer(0), mark = marks.bytes(1)
            guard (0..<Int64(RowMark.parts)).contains(part), mark.count == RowMark.length else { throw .damaged("a sum over rows is none") }
            let start = Int(part) * RowMark.length
            for place in 0..<RowMark.length { sums[start + place] ^= mark[place] }
        }
    }

    /// The rows of a part, and what has become of one of them or of one that is there no more.
    private func description(of part: Int, _ table: SummedTable) throws(AuthorityError) -> String {
        let query = try prepare("SELECT \(table.title) FROM \(table.name) WHERE \(table.part("")) = ?1 LIMIT \(Self.mostNamed + 1)")
        query.bind(Int64(part), at: 1)
        defer { query.reset() }
        var rows: [String] = []
        while try query.next() { rows.append(query.text(0)) }
        if rows.isEmpty { return "the table \(table.name) lacks a row that no command took away" }
        if rows.count > Self.mostNamed { rows[Self.mostNamed] = "others" }
        return "the table \(table.name) was changed by something else than a command; see \(rows.joined(separator: ", ")), or a row that is gone"
    }

    private static let mostNamed = 3
}

/// A table whose rows are summed up.
struct SummedTable {
    let name: String
    /// The columns by which a row is known.
    private let key: [String]
    private let others: [String]
    /// What a row is called; SQL.
    let title: String

    /// All of them.
    static let all = [
        SummedTable(name: "enrolled", key: ["thumbprint"],
                    others: ["kid", "use", "curve", "x", "y", "subject", "places", "not_before", "expires_at", "user_verification", "enrolled_at", "state_version"],
                    title: "'the key ' || lower(hex(thumbprint)) || ' of ''' || subject || ''''"),
        SummedTable(name: "plain_card", key: ["uid"], others: ["subject", "places", "not_before", "expires_at", "enrolled_at", "state_version"],
                    title: "'the card of ''' || subject || ''''"),
        SummedTable(name: "membership", key: ["member_of", "subject"], others: ["source", "state_version"],
                    title: "'''' || subject || ''' in the group ''' || member_of || ''''"),
        SummedTable(name: "revocation", key: ["kind", "value", "issuer"], others: ["revoked_at", "state_version"],
                    title: """
                        CASE kind WHEN 3 THEN 'the ban of ''' || CAST(value AS TEXT) || '''' WHEN 5 THEN 'the suspension of ''' || CAST(value AS TEXT) || ''''
                        ELSE 'the revocation of ' || lower(hex(value)) END
                        """),
        SummedTable(name: "token", key: ["identifier"],
                    others: ["issuer", "cti", "subject", "thumbprint", "not_before", "expires_at", "issued_at"],
                    title: "'the token ' || lower(hex(identifier)) || ' of ''' || subject || ''''")
    ]

    /// The number of a row's part.
    /// - Parameter row: `NEW.`, `OLD.` or nothing.
    func part(_ row: String) -> String { "row_part(\(key.map { row + $0 }.joined(separator: ", ")))" }

    /// What a row adds to its part.
    func mark(_ row: String) -> String { "row_mark(\((key + others).map { row + $0 }.joined(separator: ", ")))" }

    /// Enters what is there already.
    var beginning: String { "INSERT INTO row_sum SELECT '\(name)', \(part("")), \(mark("")) FROM \(name) WHERE true \(Self.addition);\n" }

    /// Keep the sums for as long as the connection is open. They are none of the file's, of which no trigger runs (`SQLiteConnection`).
    var triggers: String {
        """
        CREATE TEMP TRIGGER \(name)_comes AFTER INSERT ON main.\(name) BEGIN \(entry("NEW.")) END;
        CREATE TEMP TRIGGER \(name)_goes AFTER DELETE ON main.\(name) BEGIN \(entry("OLD.")) END;
        CREATE TEMP TRIGGER \(name)_changes AFTER UPDATE ON main.\(name) BEGIN \(entry("OLD.")) \(entry("NEW.")) END;

        """
    }

    private func entry(_ row: String) -> String { "INSERT INTO row_sum VALUES ('\(name)', \(part(row)), \(mark(row))) \(Self.addition);" }

    private static let addition = "ON CONFLICT (place, part) DO UPDATE SET mark = row_xor(mark, excluded.mark)"
}
