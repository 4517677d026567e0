extension PatternSettings {
    init?(_ table: TableReading) {
        guard let texts = table.texts("steps"), let repeats = table.flag("repeat") else { return nil }
        let steps = texts.compactMap { try? PatternStepSettings($0) }
        guard steps.count == texts.count else { return nil }
        self.init(steps: steps, repeats: repeats)
    }

    var content: TableContent {
        var content = TableContent()
        content.set("steps", steps.map(\.text))
        content.set("repeat", repeats)
        return content
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

    static func content(of patterns: [SignalName: PatternSettings]) -> TableContent {
        var content = TableContent()
        for (signal, pattern) in patterns { content.tables[signal.rawValue] = pattern.content }
        return content
    }
}
