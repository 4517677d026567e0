import CTOML

/// A parsed TOML text.
package struct TOMLDocument: Sendable {
    package let root: TOMLNode

    /// - Throws: the first thing that is no TOML; what comes after it cannot be understood any more.
    package init(_ bytes: [UInt8]) throws(TOMLSyntaxError) {
        let parsed = bytes.withUnsafeBytes { ctoml_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
        guard let parsed else { throw TOMLSyntaxError(message: "the parser gave no answer", position: nil) }
        defer { ctoml_free(parsed) }
        var line: UInt32 = 0
        var column: UInt32 = 0
        if let error = ctoml_error(parsed, &line, &column) {
            throw TOMLSyntaxError(message: String(cString: error), position: TOMLDocument.position(line, column))
        }
        guard let root = TOMLDocument.tree(parsed) else {
            throw TOMLSyntaxError(message: "the parser gave an empty document", position: nil)
        }
        self.root = root
    }

    /// Builds the tree from its leaves: a node stands behind its parent, so walking backwards meets every
    /// child before the table it belongs to.
    private static func tree(_ document: OpaquePointer) -> TOMLNode? {
        let flat = (0..<ctoml_count(document)).compactMap { ctoml_node_at(document, $0)?.pointee }
        var children = [[TOMLNode.Entry]](repeating: [], count: flat.count)
        for index in flat.indices.reversed() {
            let raw = flat[index]
            let node = TOMLNode(content: content(raw, children[index].reversed()), position: position(raw.line, raw.column))
            guard raw.parent >= 0 else { return node }
            children[Int(raw.parent)].append(.init(
                key: text(raw.key, raw.key_length), keyPosition: position(raw.key_line, raw.key_column), value: node))
            children[index] = []
        }
        return nil
    }

    private static func content(_ raw: ctoml_node, _ children: [TOMLNode.Entry]) -> TOMLNode.Content {
        switch ctoml_kind(UInt32(raw.kind)) {
        case CTOML_TABLE: .table(children)
        case CTOML_ARRAY: .array(children.map(\.value))
        case CTOML_STRING: .text(text(raw.text, raw.text_length))
        case CTOML_INTEGER: .integer(raw.integer)
        case CTOML_FLOAT: .float
        case CTOML_BOOLEAN: .boolean(raw.integer != 0)
        case CTOML_MOMENT: .moment(raw.integer)
        default: .time
        }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
        guard let start else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }

    private static func position(_ line: UInt32, _ column: UInt32) -> TextPosition {
        TextPosition(line: Int(line), column: Int(column))
    }
}

/// A text that is no TOML.
package struct TOMLSyntaxError: Error, Sendable {
    /// What the parser says, without its place.
    package let message: String
    package let position: TextPosition?
}

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
