/// A place in a file of comma-separated values. Both count from 1.
public struct CSVPosition: Hashable, Sendable {
    /// The line of the file: a field in quotation marks may have several.
    public var line: Int
    /// The character of the line, in Unicode scalars.
    public var column: Int

    /// A place; by default the beginning of a file.
    public init(line: Int = 1, column: Int = 1) {
        self.line = line
        self.column = column
    }
}

/// One field of a line of comma-separated values.
public struct CSVField: Hashable, Sendable {
    /// Its text, without the quotation marks around it.
    public let text: String
    /// Where it begins.
    public let position: CSVPosition

    /// A field.
    public init(text: String, position: CSVPosition) {
        self.text = text
        self.position = position
    }
}

/// What a reader of comma-separated values makes of the next line.
public enum CSVRow: Hashable, Sendable {
    /// Its fields, at least one.
    case record([CSVField])
    /// It cannot be read; the reader goes on with the next line.
    case fault(CSVFault, at: CSVPosition)
}
