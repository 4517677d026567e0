extension CommandSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let action = table.choice("action", Action.self), let minutes = table.integer("minutes") else { return nil }
        self.init(name: name, action: action, output: table.text("output"), minutes: minutes, secondFactor: table.flag("second-factor"),
                  schedule: table.text("schedule"))
    }

    var content: TableContent {
        var content = TableContent()
        content.set("name", name)
        content.set("action", action)
        content.set("output", output)
        if action.minutes != nil { content.set("minutes", minutes) }
        if let secondFactor { content.set("second-factor", secondFactor) }
        content.set("schedule", schedule)
        return content
    }
}
