@testable import Configuration

/// A configuration as somebody could have written it, from its values alone: what reading makes of it is held against these.
struct WrittenText {
    private(set) var text = ""

    init(_ configuration: GateConfiguration) { write(configuration.content, path: "") }

    private mutating func write(_ content: TableContent, path: String) {
        for (name, value) in content.values.sorted(by: { $0.key < $1.key }) { text += "\(name) = \(TOMLText.value(value))\n" }
        for (name, table) in content.tables.sorted(by: { $0.key < $1.key }) {
            let path = path.isEmpty ? name : "\(path).\(name)"
            text += table.values.isEmpty ? "" : "[\(path)]\n"
            write(table, path: path)
        }
        for (name, list) in content.lists.sorted(by: { $0.key < $1.key }) {
            let path = path.isEmpty ? name : "\(path).\(name)"
            for table in list {
                text += "[[\(path)]]\n"
                write(table, path: path)
            }
        }
    }
}
