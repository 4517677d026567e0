extension LoggingSettings {
    init?(_ table: TableReading) {
        guard let standard = Rule(table, standard: nil) else { return nil }
        var rooms: [String: Rule] = [:]
        for name in GateConfiguration.logRooms {
            rooms[name] = table.tables[name].flatMap { Rule($0, standard: standard) }
        }
        self.init(standard: standard, rooms: rooms)
    }
}

extension LoggingSettings.Rule {
    init?(_ table: TableReading, standard: LoggingSettings.Rule?) {
        guard let level = table.choice("level", LoggingLevel.self) ?? standard?.level,
              let target = table.choice("target", LoggingTarget.self) ?? standard?.target else { return nil }
        self.init(level: level, target: target)
    }
}
