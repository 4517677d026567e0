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
