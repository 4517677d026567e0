/// A configuration as TOML with every default spelled out.
struct EffectiveText {
    private(set) var text = ""

    init(_ configuration: GateConfiguration) {
        write(Schema.root, configuration.content, path: "")
    }

    private mutating func write(_ table: SettingTable, _ content: TableContent, path: String) {
        for setting in table.settings {
            if let value = content.values[setting.name] { text += "\(setting.name) = \(TOMLText.value(value))\n" }
        }
        for child in table.tables {
            let childPath = path.isEmpty ? child.name : "\(path).\(child.name)"
            if let one = content.tables[child.name] { write(child, one, heading: childPath) }
            for one in content.lists[child.name] ?? [] { write(child, one, heading: childPath) }
        }
    }

    private mutating func write(_ table: SettingTable, _ content: TableContent, heading path: String) {
        if !content.values.isEmpty {
            if !text.isEmpty { text += "\n" }
            text += Schema.heading(path, table) + "\n"
        }
        write(table, content, path: path)
    }
}

extension GateConfiguration {
    /// The configuration as TOML with every default spelled out. It loads to an equal configuration.
    public var effectiveText: String { EffectiveText(self).text }
}
