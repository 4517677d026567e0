import Spelling

/// Holds a parsed text against the schema: every unknown key, missing key and wrong value becomes an
/// issue, everything else a reading.
package struct SchemaReader {
    package private(set) var issues: IssueList
    /// The whole document, for keys that stand in the wrong place.
    private let root: SettingTable

    package init(file: String, root: SettingTable = Schema.root) {
        issues = IssueList(file: file)
        self.root = root
    }

    /// Reads a table and all that is in it.
    /// - Parameter owner: the name that the table around it has.
    package mutating func read(_ table: SettingTable, _ node: TOMLNode, path: String = "", owner: String? = nil) -> TableReading {
        var reading = TableReading(path: path, position: node.position)
        guard case .table(let entries) = node.content else {
            issues.error("wrong-type", at: node.position, "\(path) is a table, not \(node.kindName).")
            return reading
        }
        reading.present = Set(entries.map(\.key))
        for entry in entries where !table.names.contains(entry.key) { reportUnknown(entry, in: table, path: path) }
        for setting in table.settings {
            reading.values[setting.name] = read(setting, entries.first { $0.key == setting.name }, in: reading, owner)
        }
        for child in table.tables { read(child, entries.first { $0.key == child.name }, into: &reading) }
        return reading
    }

    private mutating func read(_ setting: Setting, _ entry: TOMLNode.Entry?, in table: TableReading, _ owner: String?) -> TableReading.Value? {
        if let entry {
            let reader = SettingReader(setting: setting, path: table.path)
            return reader.read(entry.value, &issues).map { .init(value: $0, position: entry.value.position, elements: entry.value.places) }
        }
        switch setting.presence {
        case .standard(let value):
            return .init(value: value, position: table.position)
        case .named(let before, let after):
            return owner.map { .init(value: .text(before + $0 + after), position: table.position) }
        case .required:
            issues.error("missing-setting", at: table.position, "\(joined(table.path, setting.name)) is missing: \(setting.explanation)")
            return nil
        case .optional, .inherited, .byWord:
            return nil
        }
    }

    private mutating func read(_ child: SettingTable, _ entry: TOMLNode.Entry?, into reading: inout TableReading) {
        let path = joined(reading.path, child.name)
        switch child.form {
        case .single:
            let missing = TOMLNode(content: .table([]), position: reading.position)
            reading.tables[child.name] = readSingle(child, entry?.value ?? missing, path: path, owner: reading.text("name"))
        case .optional:
            let owner = reading.text("name")
            reading.tables[child.name] = entry.map { readSingle(child, $0.value, path: path, owner: owner) }
        case .list(let minimum):
            reading.lists[child.name] = readList(child, entry, path: path, minimum: minimum)
        }
    }

    private mutating func readSingle(_ table: SettingTable, _ node: TOMLNode, path: String, owner: String?) -> TableReading {
        if case .array(let elements) = node.content, let first = elements.first, first.isTable {
            issues.error("wrong-type", at: node.position, "\(path) is a single table: write [\(path)], once.")
            return TableReading(path: path, position: node.position)
        }
        return read(table, node, path: path, owner: owner)
    }

    private mutating func readList(_ table: SettingTable, _ entry: TOMLNode.Entry?, path: String, minimum: Int) -> [TableReading] {
        guard let entry else {
            if minimum > 0 { issues.error("missing-table", at: nil, "There is no [[\(path)]]; at least \(minimum) is needed.") }
            return []
        }
        guard case .array(let elements) = entry.value.content, elements.allSatisfy(\.isTable) else {
            issues.error("wrong-type", at: entry.value.position, "\(path) is a list of tables: write [[\(path)]] for each.")
            return []
        }
        return elements.enumerated().map { number, element in read(table, element, path: "\(path)[\(number + 1)]") }
    }

    private mutating func reportUnknown(_ entry: TOMLNode.Entry, in table: SettingTable, path: String) {
        let place = path.isEmpty ? "at the top" : "in \(path)"
        if let name = RenamedSettings.names[entry.key], table.names.contains(name) {
            issues.error("unknown-setting", at: entry.keyPosition, "The setting \"\(entry.key)\" \(place) is called \"\(name)\" now.")
            return
        }
        if let remedy = RenamedSettings.gone[joined(path, entry.key)] {
            issues.error("unknown-setting", at: entry.keyPosition, "The setting \"\(entry.key)\" \(place) is gone: \(remedy)")
            return
        }
        let nearest = NearestName.find(entry.key, among: table.names)
        let elsewhere = nearest == nil ? Schema.paths(ofKey: entry.key, in: root) : []
        let hint = elsewhere.isEmpty ? "" : " It belongs in \(elsewhere.joined(separator: " or "))."
        issues.error("unknown-setting", at: entry.keyPosition, "There is no setting \"\(entry.key)\" \(place).\(hint)",
                     suggestion: nearest)
    }

    private func joined(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
