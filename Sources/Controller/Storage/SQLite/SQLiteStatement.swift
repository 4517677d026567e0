import CSQLite
import Files
import Threads

/// A prepared statement: bind, step until there is no more row, reset, use again.
package final class SQLiteStatement {
    private let statement: OpaquePointer
    private let connection: SQLiteConnection
    private let verb: String
    /// The first binding that failed since the last reset; told by `step`.
    private var bindingFailure = SQLITE_OK

    init(_ statement: OpaquePointer, of connection: SQLiteConnection, verb: String) {
        self.statement = statement
        self.connection = connection
        self.verb = verb
    }

    deinit { sqlite3_finalize(statement) }

    // Binding: parameters count from 1 -----------------------------------------------------------

    package func bind(_ value: Int64, at index: Int32) {
        note(sqlite3_bind_int64(statement, index, value))
    }

    package func bind(_ value: Int64?, at index: Int32) {
        if let value { bind(value, at: index) } else { note(sqlite3_bind_null(statement, index)) }
    }

    package func bind(_ bytes: [UInt8], at index: Int32) {
        note(bytes.withUnsafeBytes { csqlite_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count)) })
    }

    package func bind(_ bytes: [UInt8]?, at index: Int32) {
        if let bytes { bind(bytes, at: index) } else { note(sqlite3_bind_null(statement, index)) }
    }

    package func bind(_ text: String, at index: Int32) {
        var text = text
        note(text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) {
                csqlite_bind_text(statement, index, $0.baseAddress, Int32(clamping: $0.count))
            }
        })
    }

    package func bind(_ text: String?, at index: Int32) {
        if let text { bind(text, at: index) } else { note(sqlite3_bind_null(statement, index)) }
    }

    /// Binds the first columns of another statement's current row, as they are.
    package func bind(columnsOf row: SQLiteStatement, count: Int) {
        for column in 0..<Int32(count) { note(sqlite3_bind_value(statement, column + 1, sqlite3_column_value(row.statement, column))) }
    }

    private func note(_ result: Int32) {
        if bindingFailure == SQLITE_OK { bindingFailure = result }
    }

    // Running --------------------------------------------------------------------------------------

    /// Goes to the next row; false when there is none. An error resets the statement.
    package func step() throws(StorageError) -> Bool {
        let result = bindingFailure == SQLITE_OK ? Loop.outside(.disk) { sqlite3_step(statement) } : bindingFailure
        switch result {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = connection.error(result, doing: "run \(verb)")
            reset()
            throw error
        }
    }

    /// Makes the statement ready for the next use. Locks and bindings go.
    package func reset() {
        bindingFailure = SQLITE_OK
        // The result repeats the error that `step` has already thrown.
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
    }

    /// Runs a statement that answers no rows, and resets it.
    package func run() throws(StorageError) {
        defer { reset() }
        while try step() {}
    }

    // Columns of the current row: they count from 0 ------------------------------------------------

    /// What a column can hold.
    package enum ColumnType { case integer, float, text, blob, null }

    /// What the column holds in this row, before anything makes something else of it.
    package func type(_ column: Int32) -> ColumnType {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .float
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    package func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    package func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// Text as stored; a damaged file's invalid UTF-8 is repaired rather than trusted.
    package func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    // The same of a file that may be damaged: nil where the column holds something else than was written -----

    package func writtenText(_ column: Int32) -> String? {
        sqlite3_column_type(statement, column) == SQLITE_TEXT ? String(validating: bytes(column), as: UTF8.self) : nil
    }

    package func writtenBytes(_ column: Int32) -> [UInt8]? { sqlite3_column_type(statement, column) == SQLITE_BLOB ? bytes(column) : nil }

    /// The outer nil: it is neither a number nor nothing.
    package func writtenTime(_ column: Int32) -> Int64?? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .some(integer(column))
        case SQLITE_NULL: .some(nil)
        default: nil
        }
    }

    /// 0 or 1.
    package func writtenFlag(_ column: Int32) -> Bool? {
        guard sqlite3_column_type(statement, column) == SQLITE_INTEGER, 0...1 ~= integer(column) else { return nil }
        return integer(column) == 1
    }
}
