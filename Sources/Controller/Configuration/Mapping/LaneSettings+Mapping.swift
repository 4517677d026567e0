extension LaneSettings {
    init?(_ table: TableReading, audit: AuditSettings) {
        guard let name = table.text("name"), let methods = table.integers("methods"), let suites = table.integers("suites"),
              let secondFactor = table.choice("second-factor", SecondFactorSetting.self),
              let success = table.integer("cooldown-success-ms"), let failure = table.integer("cooldown-failure-ms"),
              let relay = table.tables["relay"].flatMap(RelaySettings.init),
              let indicators = table.tables["indicators"].flatMap(IndicatorSettings.init),
              let inputs = table.tables["inputs"].flatMap(InputsSettings.init),
              let passage = PassageSettings(table), let carriers = CarrierSettings(table), let outputTables = table.lists["output"] else { return nil }
        self.init(name: name, zone: table.text("zone"), methods: methods, suites: suites,
                  cooldownSuccessMilliseconds: success, cooldownFailureMilliseconds: failure,
                  secondFactor: secondFactor, secondFactorSchedule: table.text("second-factor-schedule"),
                  auditOnFailure: table.choice("audit-on-failure") ?? audit.onFailure, relay: relay, indicators: indicators)
        self.passage = passage
        self.carriers = carriers
        fromZone = table.text("from-zone")
        uidOnlyCards = table.flag("uid-only-cards") ?? false
        self.inputs = inputs
        lineOutputs = outputTables.compactMap(LineOutputSettings.init)
        relayOut = table.tables["relay-out"].flatMap(RelaySettings.init)
        let commandTables = table.lists["command"] ?? []
        commands = commandTables.compactMap(CommandSettings.init)
        guard lineOutputs.count == outputTables.count, commands.count == commandTables.count, (relayOut == nil) == (table.tables["relay-out"] == nil) else { return nil }
    }
}

extension RelaySettings {
    init?(_ table: TableReading) {
        guard let output = OutputSettings(table), let pulse = table.integer("pulse-ms"),
              let hold = table.choice("hold", RelayHold.self) else { return nil }
        self.init(output: output, pulseMilliseconds: pulse, hold: hold)
    }
}

extension IndicatorSettings {
    init?(_ table: TableReading) {
        self.init()
        for indicator in Indicator.allCases {
            guard let indicatorTable = table.tables[indicator.rawValue] else { continue }
            guard let output = OutputSettings(indicatorTable) else { return nil }
            self[indicator] = output
        }
    }
}

extension OutputSettings {
    init?(_ table: TableReading) {
        guard let chip = table.text("chip"), let line = OutputLine(table),
              let active = table.choice("active", ActiveLevel.self) else { return nil }
        self.init(chip: chip, line: line, active: active)
    }
}

extension OutputLine {
    init?(_ table: TableReading) {
        if let number = table.integer("line"), let offset = UInt32(exactly: number) {
            self = .offset(offset)
        } else if let name = table.text("line") {
            self = .named(name)
        } else {
            return nil
        }
    }
}
