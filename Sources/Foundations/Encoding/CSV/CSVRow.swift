/// What a reader of comma-separated values makes of the next line.
public enum CSVRow: Hashable, Sendable {
    /// Its fields, at least one.
    case record([CSVField])
    /// It cannot be read; the reader goes on with the next line.
    case fault(CSVFault, at: CSVPosition)
}
