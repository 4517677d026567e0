/// Reads comma-separated values (RFC 4180) piece by piece, however long the file is: UTF-8, a byte order mark at the
/// beginning is left out, lines end with CR LF or LF, empty lines are skipped. What is wrong with a line is one of its rows, and
/// the reader goes on with the next line.
public struct CSVReader: Sendable {
    /// The longest field in bytes.
    public static let longestField = 16_384
    /// The most fields of a line.
    public static let mostFields = 64

    private enum State {
        /// Nothing of a field was read yet.
        case fieldStart
        /// In a field without quotation marks.
        case plain
        /// In a field with quotation marks.
        case quoted
        /// After a quotation mark in such a field: the end, or the first of two.
        case quoteInQuoted
        /// After a carriage return: the line feed comes.
        case carriageReturn
        /// In the rest of a line with a fault.
        case skipping
    }

    private var state = State.fieldStart
    private var position = CSVPosition()
    private var fieldPosition = CSVPosition()
    private var field: [UInt8] = []
    private var fields: [CSVField] = []
    private var rows: [CSVRow] = []
    /// The first bytes, until it is known whether they are a byte order mark.
    private var beginning: [UInt8]? = []

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let quote = UInt8(ascii: "\""), comma = UInt8(ascii: ","), lineFeed: UInt8 = 0x0A, carriageReturn: UInt8 = 0x0D

    /// A reader at the beginning of a file.
    public init() {}

    /// The rows that end in these bytes.
    public mutating func feed(_ bytes: [UInt8]) -> [CSVRow] {
        guard var first = beginning else {
            for byte in bytes { read(byte) }
            return drainRows()
        }
        first += bytes
        beginning = first
        if first.count >= Self.byteOrderMark.count { begin() }
        return drainRows()
    }

    /// The input has ended: the last row, if the file does not end with a line end.
    public mutating func finish() -> [CSVRow] {
        begin()
        switch state {
        case .fieldStart, .plain, .quoteInQuoted: endRecord()
        case .quoted: fault(.unclosedQuote, at: fieldPosition)
        case .carriageReturn: fault(.strayCarriageReturn, at: position)
        case .skipping: break
        }
        (state, fields, field) = (.fieldStart, [], [])
        return drainRows()
    }

    private mutating func begin() {
        guard let first = beginning else { return }
        beginning = nil
        for byte in first.starts(with: Self.byteOrderMark) ? first.dropFirst(Self.byteOrderMark.count) : first[...] { read(byte) }
    }

    private mutating func drainRows() -> [CSVRow] {
        defer { rows = [] }
        return rows
    }

    private mutating func read(_ byte: UInt8) {
        switch state {
        case .fieldStart: readFirst(byte)
        case .plain: readPlain(byte)
        case .quoted: readQuoted(byte)
        case .quoteInQuoted: readAfterQuote(byte)
        case .carriageReturn:
            if byte == Self.lineFeed { endRecord() } else { fault(.strayCarriageReturn, at: position) }
        case .skipping:
            if byte == Self.lineFeed { state = .fieldStart }
        }
        advance(over: byte)
    }

    private mutating func readFirst(_ byte: UInt8) {
        fieldPosition = position
        if byte == Self.quote { state = .quoted } else { readPlain(byte) }
    }

    private mutating func readPlain(_ byte: UInt8) {
        if readEnd(byte) { return }
        guard byte != Self.quote else { return fault(.strayQuote, at: position) }
        state = .plain
        append(byte)
    }

    private mutating func readQuoted(_ byte: UInt8) {
        if byte == Self.quote { state = .quoteInQuoted } else { append(byte) }
    }

    private mutating func readAfterQuote(_ byte: UInt8) {
        if readEnd(byte) { return }
        guard byte == Self.quote else { return fault(.textAfterQuote, at: position) }
        state = .quoted
        append(byte)
    }

    /// Whether the byte ends a field.
    private mutating func readEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case Self.comma: endField()
        case Self.lineFeed: endRecord()
        case Self.carriageReturn: state = .carriageReturn
        default: return false
        }
        return true
    }

    private mutating func append(_ byte: UInt8) {
        guard field.count < Self.longestField else { return fault(.fieldTooLong, at: fieldPosition) }
        field.append(byte)
    }

    private mutating func endField() {
        guard let text = String(validating: field, as: UTF8.self) else { return fault(.notUTF8, at: fieldPosition) }
        guard fields.count < Self.mostFields else { return fault(.tooManyFields, at: fieldPosition) }
        fields.append(CSVField(text: text, position: fieldPosition))
        field.removeAll(keepingCapacity: true)
        fieldPosition = CSVPosition(line: position.line, column: position.column + 1)
        state = .fieldStart
    }

    private mutating func endRecord() {
        let isEmpty = fields.isEmpty && field.isEmpty
        if !isEmpty {
            endField()
            guard !fields.isEmpty else { return endFault() }
            rows.append(.record(fields))
        }
        (state, fields) = (.fieldStart, [])
    }

    /// The line is at its end already: nothing is left to skip.
    private mutating func endFault() { state = .fieldStart }

    /// One fault of a line is told; what follows from it would not help.
    private mutating func fault(_ fault: CSVFault, at place: CSVPosition) {
        rows.append(.fault(fault, at: place))
        (state, fields) = (.skipping, [])
        field.removeAll(keepingCapacity: true)
    }

    /// Continuation bytes of UTF-8 are no characters of their own.
    private mutating func advance(over byte: UInt8) {
        if byte == Self.lineFeed {
            position = CSVPosition(line: position.line + 1)
        } else if byte & 0xC0 != 0x80 {
            position.column += 1
        }
    }
}
