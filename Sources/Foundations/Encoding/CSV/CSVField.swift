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
