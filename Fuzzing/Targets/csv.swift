import Encoding

/// No input stops the reader of comma-separated values, the pieces it comes in do not matter, and what it reads is read again
/// as it was when it is written with quotation marks.
func fuzz(_ input: [UInt8]) {
    let rows = read(input, pieces: .max)
    precondition(read(input, pieces: 3) == rows, "pieces do not matter")
    let records = rows.compactMap(texts)
    precondition(records.allSatisfy { !$0.isEmpty && $0.count <= CSVReader.mostFields }, "a record has a field")
    let written = records.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    let again = read(Array(written.utf8), pieces: .max).map { texts($0) ?? [] }
    // A line that is nothing but one empty field is an empty line.
    precondition(again == records.filter { $0 != [""] }, "what is written is read as it was")
}

private func read(_ input: [UInt8], pieces: Int) -> [CSVRow] {
    var reader = CSVReader()
    var rows: [CSVRow] = []
    var rest = input[...]
    while !rest.isEmpty {
        rows += reader.feed(Array(rest.prefix(pieces)))
        rest = rest.dropFirst(pieces)
    }
    return rows + reader.finish()
}

/// Nil where the row is a fault.
private func texts(_ row: CSVRow) -> [String]? {
    guard case .record(let fields) = row else { return nil }
    return fields.map(\.text)
}

/// By the scalar: a quotation mark with a combining one after it is no `Character` that equals a quotation mark.
private func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
}
