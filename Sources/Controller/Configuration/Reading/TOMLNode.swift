/// A value in a TOML text, with its place.
package struct TOMLNode: Sendable {
    enum Content: Sendable {
        case table([Entry])
        case array([TOMLNode])
        case text(String)
        case integer(Int64)
        case float
        case boolean(Bool)
        /// A date, a time of day, or both without an offset from UTC.
        case time
        /// UNIX seconds.
        case moment(Int64)
    }

    /// A key with its value.
    struct Entry: Sendable {
        let key: String
        let keyPosition: TextPosition
        let value: TOMLNode
    }

    let content: Content
    let position: TextPosition

    /// What it is, in words.
    var kindName: String {
        switch content {
        case .table: "a table"
        case .array(let elements): elements.allSatisfy(\.isTable) && !elements.isEmpty ? "a list of tables" : "a list"
        case .text: "a text"
        case .integer: "a whole number"
        case .float: "a number with a fraction"
        case .boolean: "true or false"
        case .time: "a date or time"
        case .moment: "a date and time"
        }
    }

    /// The places of the elements of a list; none for anything else.
    var places: [TextPosition] {
        guard case .array(let elements) = content else { return [] }
        return elements.map(\.position)
    }

    var isTable: Bool {
        if case .table = content { return true }
        return false
    }
}
