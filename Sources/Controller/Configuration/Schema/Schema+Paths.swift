extension Schema {
    /// Every table with its heading, parents first: `[lane.relay]`, `[[reader]]`.
    public static var allTables: [(path: String, table: SettingTable)] { below(root, path: "") }

    package static func below(_ table: SettingTable, path: String) -> [(path: String, table: SettingTable)] {
        table.tables.flatMap { child -> [(path: String, table: SettingTable)] in
            let childPath = path.isEmpty ? child.name : "\(path).\(child.name)"
            return [(childPath, child)] + below(child, path: childPath)
        }
    }

    /// The tables that know a key, as headings.
    static func paths(ofKey key: String, in root: SettingTable) -> [String] {
        below(root, path: "").filter { $0.table.settings.contains { $0.name == key } }.prefix(3).map { heading($0.path, $0.table) }
    }

    package static func heading(_ path: String, _ table: SettingTable) -> String {
        if case .list = table.form { return "[[\(path)]]" }
        return "[\(path)]"
    }
}
