import Vocabulary

extension RadioSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let lanes = table.texts("lanes"), let direction = table.choice("direction", Direction.self),
              let mode = table.choice("mode", RadioMode.self), let manual = table.flag("manual"), let links = table.integer("links"),
              let deadline = table.integer("presentation-deadline-ms"), let interval = table.integer("report-interval-ms") else { return nil }
        self.init(name: name, lanes: lanes, direction: direction, address: table.text("address"), mode: mode, manual: manual,
                  serviceUUID: table.text("service-uuid"), links: links, presentationDeadlineMilliseconds: deadline,
                  reportIntervalMilliseconds: interval)
    }
}
