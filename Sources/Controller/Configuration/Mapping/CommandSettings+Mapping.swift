extension CommandSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let action = table.choice("action", Action.self), let minutes = table.integer("minutes") else { return nil }
        self.init(name: name, action: action, output: table.text("output"), minutes: minutes, secondFactor: table.flag("second-factor"),
                  schedule: table.text("schedule"))
    }
}
