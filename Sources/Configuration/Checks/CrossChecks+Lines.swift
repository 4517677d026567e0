extension CrossChecks {
    /// One line of one chip.
    private struct Wire: Hashable {
        let chip: String
        let line: SettingValue
    }

    /// A line moves one thing. Lines of the simulated bank follow the same rule, and are named in a warning.
    mutating func checkLines() {
        var first: [Wire: String] = [:]
        for lane in lanes {
            for output in outputs(of: lane) {
                guard let chip = output.text("chip"), let line = output.values["line"] else { continue }
                if chip == OutputSettings.simulatedChip, output.path.hasSuffix(".relay") {
                    issues.warning("simulated-line", at: output.position(of: "chip"),
                                   "\(output.path) is simulated: it moves nothing.")
                }
                let wire = Wire(chip: Self.plainName(ofChip: chip), line: line.value)
                if let earlier = first[wire] {
                    issues.error("line-used-twice", at: line.position,
                                 "\(output.path) uses the same line of \"\(chip)\" as \(earlier).")
                } else {
                    first[wire] = output.path
                }
            }
        }
    }

    private func outputs(of lane: TableReading) -> [TableReading] {
        let lights = lane.tables["lights"]?.tables ?? [:]
        return [lane.tables["relay"]].compactMap { $0 } + Light.allCases.compactMap { lights[$0.rawValue] }
    }

    /// `/dev/gpiochip0` and `gpiochip0` are the same chip.
    private static func plainName(ofChip chip: String) -> String {
        chip.hasPrefix("/dev/") ? String(chip.dropFirst(5)) : chip
    }
}
