extension CrossChecks {
    /// One line of one chip.
    private struct Wire: Hashable {
        let chip: String
        let line: SettingValue
    }

    /// A line serves one thing. Lines of the simulated bank follow the same rule; relays, inputs and reset lines of it, which
    /// people may take for real ones, are named in a warning.
    mutating func checkLines() {
        var first: [Wire: TableReading] = [:]
        for table in Self.tablesWithLines(root) {
            guard let chip = table.text("chip"), let line = table.values["line"] else { continue }
            if chip == OutputSettings.simulatedChip { warnOfSimulation(table) }
            let wire = Wire(chip: Self.plainName(ofChip: chip), line: line.value)
            if let earlier = first[wire] {
                issues.error("line-used-twice", at: line.position,
                             "\(table.path) uses the same line of \"\(chip)\" as \(earlier.path) (line \(earlier.position(of: "line").line)).")
            } else {
                first[wire] = table
            }
        }
    }

    private mutating func warnOfSimulation(_ table: TableReading) {
        let position = table.position(of: "chip")
        if table.path.hasSuffix(".relay") || table.path.hasSuffix(".relay-out") {
            issues.warning("simulated-line", at: position, "\(table.path) is simulated: it moves nothing.")
        } else if table.values["closed"] != nil {
            issues.warning("simulated-line", at: position, "\(table.path) is simulated: nothing but `tapstile simulate` moves it.")
        } else if table.path.hasSuffix(".reset") {
            issues.warning("simulated-line", at: position, "\(table.path) is simulated: it resets nothing.")
        }
    }

    /// Names of a lane's outputs differ: `toggle` goes by them.
    mutating func checkLineOutputs() {
        for lane in lanes { checkNames(of: ["output"], in: lane) }
    }

    /// Every table below that names a line, in the order of the text.
    static func tablesWithLines(_ table: TableReading) -> [TableReading] {
        let below = table.tables.values.flatMap(tablesWithLines) + table.lists.values.joined().flatMap(tablesWithLines)
        let own = table.values["line"] != nil ? [table] : []
        return (own + below).sorted { ($0.position(of: "line"), $0.path) < ($1.position(of: "line"), $1.path) }
    }

    /// `/dev/gpiochip0` and `gpiochip0` are the same chip.
    private static func plainName(ofChip chip: String) -> String {
        chip.hasPrefix("/dev/") ? String(chip.dropFirst(5)) : chip
    }
}
