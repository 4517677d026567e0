import Vocabulary

extension ReaderSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let lane = table.text("lane"),
              let direction = table.choice("direction", Direction.self),
              let device = ReaderDeviceSettings(table), let reset = table.tables["reset"].flatMap(ReaderResetSettings.init),
              let deadline = table.integer("presentation-deadline-ms"), let stuckAfter = table.integer("stuck-after-ms")
        else { return nil }
        self.init(name: name, lane: lane, direction: direction, device: device, presentationDeadlineMilliseconds: deadline,
                  stuckAfterMilliseconds: stuckAfter)
        self.reset = reset
    }
}

extension ReaderDeviceSettings {
    fileprivate init?(_ table: TableReading) {
        switch table.choice("type", ReaderType.self) {
        case .pcsc:
            guard let matchTable = table.tables["match"], let match = ReaderMatchSettings(matchTable) else { return nil }
            self = .pcsc(match, nameContains: matchTable.text("name-contains"))
        case .pn532:
            guard let chip = table.tables["chip"].flatMap(ChipSettings.init) else { return nil }
            self = .pn532(chip)
        case nil: return nil
        }
    }
}

extension ReaderMatchSettings {
    /// The keys of which exactly one is given.
    static let keys = ["name", "serial", "port"]

    init?(_ table: TableReading) {
        if let name = table.text("name") {
            self = .name(name)
        } else if let serial = table.text("serial") {
            self = .serial(serial)
        } else if let port = table.text("port") {
            self = .port(port)
        } else {
            return nil
        }
    }
}

extension ReaderResetSettings {
    init?(_ table: TableReading) {
        guard let usb = table.flag("usb") else { return nil }
        self.init(line: OutputSettings(table), usb: usb)
    }
}
