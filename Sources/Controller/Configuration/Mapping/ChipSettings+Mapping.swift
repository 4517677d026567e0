extension ChipSettings {
    init?(_ table: TableReading) {
        guard let bus = table.choice("bus", ChipBus.self), let device = table.text("device"), let terminal = table.text("ecp-tci"),
              let cycle = table.integer("cycle-ms"), let exchange = table.integer("exchange-ms"), let bitRate = table.integer("bit-rate"),
              let socket = table.text("socket")
        else { return nil }
        self.init(bus: bus, device: device, speed: table.integer("speed"),
                  announcement: terminal.isEmpty ? nil : ChipAnnouncement(terminal: terminal, group: table.text("ecp-group")),
                  cycleMilliseconds: cycle, exchangeMilliseconds: exchange, bitRate: bitRate, socket: socket)
    }
}
