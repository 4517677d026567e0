extension InputsSettings {
    init?(_ table: TableReading) {
        self.init()
        for name in InputName.allCases {
            guard let inputTable = table.tables[name.rawValue] else { continue }
            guard let input = InputSettings(inputTable) else { return nil }
            self[name] = input
        }
    }
}

extension InputSettings {
    init?(_ table: TableReading) {
        guard let chip = table.text("chip"), let line = OutputLine(table), let closed = table.choice("closed", ActiveLevel.self),
              let normally = table.choice("normally", NormalContact.self), let bias = table.choice("bias", InputBias.self)
        else { return nil }
        self.init(chip: chip, line: line, closed: closed, normally: normally, bias: bias,
                  debounceMilliseconds: table.integer("debounce-ms"), mode: table.choice("mode"))
    }
}

extension LineOutputSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let output = OutputSettings(table), let restore = table.flag("restore") else { return nil }
        self.init(name: name, output: output, restore: restore)
    }
}
