extension ChipSettings {
    /// - Parameter reader: the name of the reader, which the unit of its program has.
    init?(_ table: TableReading, reader: String) {
        guard let bus = table.choice("bus", ChipBus.self), let device = table.text("device"), let terminal = table.text("ecp-tci"),
              let cycle = table.integer("cycle-ms"), let exchange = table.integer("exchange-ms"), let bitRate = table.integer("bit-rate")
        else { return nil }
        self.init(bus: bus, device: device, speed: table.integer("speed"),
                  announcement: terminal.isEmpty ? nil : ChipAnnouncement(terminal: terminal, group: table.text("ecp-group")),
                  cycleMilliseconds: cycle, exchangeMilliseconds: exchange, bitRate: bitRate,
                  socket: table.text("socket") ?? Self.unitSocket(reader: reader))
    }

    var content: TableContent {
        var content = TableContent()
        content.set("bus", bus)
        content.set("device", device)
        if let speed { content.set("speed", speed) }
        content.set("ecp-tci", announcement?.terminal ?? "")
        content.set("ecp-group", announcement?.group)
        content.set("cycle-ms", cycleMilliseconds)
        content.set("exchange-ms", exchangeMilliseconds)
        content.set("bit-rate", bitRate)
        content.set("socket", socket)
        return content
    }
}
