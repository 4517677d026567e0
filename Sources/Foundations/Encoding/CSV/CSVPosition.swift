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
