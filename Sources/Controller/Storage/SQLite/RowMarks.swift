import CSQLite
import Cryptography

/// What sums over the rows of a table are made of.
package enum RowMark {
    /// Bytes of a mark.
    package static let length = SHA256.length
    /// The rows of a table are summed up in so many parts, so that a sum that is wrong leads to few rows.
    package static let parts = 4096

    fileprivate typealias Function = @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
}

extension SQLiteConnection {
    /// From now on statements have `row_mark(…)`, the SHA-256 of the values and of what each is; `row_part(…)`, the number of the part that
    /// a row with such a key belongs to; and `row_xor(a, b)` of two marks, which adds to a sum what it does not have and takes away what it has.
    package func addRowFunctions() throws(StorageError) {
        try add("row_mark", -1, rowMark)
        try add("row_part", -1, rowPart)
        try add("row_xor", 2, rowXor)
    }

    private func add(_ name: String, _ arguments: Int32, _ function: RowMark.Function) throws(StorageError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
        let result = sqlite3_create_function_v2(handle, name, arguments, flags, nil, function, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result, doing: "add a function") }
    }
}

private func rowMark(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    answer(context, SHA256.hash(encoding(count, values)))
}

/// FNV-1a: nobody has to be unable to find two keys with one number.
private func rowPart(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let hash = encoding(count, values).reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    sqlite3_result_int64(context, Int64(hash % UInt32(RowMark.parts)))
}

private func rowXor(_ context: OpaquePointer?, _ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) {
    let pair = UnsafeMutableBufferPointer(start: values, count: Int(count))
    guard pair.count == 2 else { return }
    answer(context, zip(content(of: pair[0]), content(of: pair[1])).map { $0 ^ $1 })
}

private func answer(_ context: OpaquePointer?, _ mark: [UInt8]) {
    mark.withUnsafeBytes { csqlite_result_blob(context, $0.baseAddress, Int32(clamping: $0.count)) }
}

/// Each value with its type and length, so that no two rows have one encoding.
private func encoding(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(384)
    for value in UnsafeMutableBufferPointer(start: values, count: Int(count)) {
        let type = sqlite3_value_type(value)
        bytes.append(UInt8(truncatingIfNeeded: type))
        if type == SQLITE_NULL { continue }
        let text = type == SQLITE_INTEGER ? UnsafeRawBufferPointer(start: nil, count: 0) : content(of: value)
        let number = type == SQLITE_INTEGER ? sqlite3_value_int64(value) : Int64(text.count)
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: text)
    }
    return bytes
}

/// The bytes of a text or blob, for as long as the value is there.
private func content(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
    // SQLite knows the length when it has made the bytes.
    let start: UnsafeRawPointer? = sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
}
