extension PatternSettings {
    init?(_ table: TableReading) {
        guard let texts = table.texts("steps"), let repeats = table.flag("repeat") else { return nil }
        let steps = texts.compactMap { try? PatternStepSettings($0) }
        guard steps.count == texts.count else { return nil }
        self.init(steps: steps, repeats: repeats)
    }

    /// The patterns of `[pattern]`; nil when one cannot be used.
    static func all(_ table: TableReading) -> [SignalName: PatternSettings]? {
        var patterns: [SignalName: PatternSettings] = [:]
        for signal in SignalName.allCases {
            guard let own = table.tables[signal.rawValue] else { continue }
            guard let pattern = PatternSettings(own) else { return nil }
            patterns[signal] = pattern
        }
        return patterns
    }
}
