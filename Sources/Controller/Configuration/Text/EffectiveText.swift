/// A configuration as it was read, as TOML with every default spelled out.
struct EffectiveText {
    private(set) var text = ""
    private let root: TableReading

    /// - Parameter root: the document, in which nothing is wrong.
    init(_ root: TableReading) {
        self.root = root
        write(Schema.root, root, path: "")
    }

    private mutating func write(_ table: SettingTable, _ reading: TableReading, path: String) {
        for child in table.tables {
            let childPath = path.isEmpty ? child.name : "\(path).\(child.name)"
            for one in (reading.tables[child.name].map { [$0] } ?? []) + (reading.lists[child.name] ?? []) {
                write(lines(of: child, one), below: Schema.heading(childPath, child))
                write(child, one, path: childPath)
            }
        }
    }

    private mutating func write(_ lines: [String], below heading: String) {
        guard !lines.isEmpty else { return }
        text += (text.isEmpty ? "" : "\n") + heading + "\n" + lines.joined()
    }

    private func lines(of table: SettingTable, _ reading: TableReading) -> [String] {
        table.settings.compactMap { setting in
            value(of: setting, in: reading).map { "\(setting.name) = \(TOMLText.value($0))\n" }
        }
    }

    private func value(of setting: Setting, in reading: TableReading) -> SettingValue? {
        guard setting.condition?.holds(in: reading) ?? true else { return nil }
        if let value = reading.values[setting.name] { return value.value }
        guard case .inherited(let path) = setting.presence else { return nil }
        let parts = path.split(separator: ".").map(String.init)
        let table = parts.dropLast().reduce(Optional(root)) { $0?.tables[$1] }
        return parts.last.flatMap { table?.values[$0]?.value }
    }
}
