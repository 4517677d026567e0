extension ReaderSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let lane = table.text("lane"),
              let direction = table.choice("direction", PassageDirection.self),
              let device = ReaderDeviceSettings(table, reader: name), let reset = table.tables["reset"].flatMap(ReaderResetSettings.init),
              let deadline = table.integer("presentation-deadline-ms"), let stuckAfter = table.integer("stuck-after-ms")
        else { return nil }
        self.init(name: name, lane: lane, direction: direction, device: device, presentationDeadlineMilliseconds: deadline,
                  stuckAfterMilliseconds: stuckAfter)
        self.reset = reset
    }

    var content: TableContent {
        var content = TableContent()
        content.set("name", name)
        content.set("lane", lane)
        content.set("direction", direction)
        content.set("type", device.type)
        content.set("presentation-deadline-ms", presentationDeadlineMilliseconds)
        content.set("stuck-after-ms", stuckAfterMilliseconds)
        switch device {
        case .pcsc(let match, let nameContains):
            var matchContent = match.content
            matchContent.set("name-contains", nameContains)
            content.tables["match"] = matchContent
        case .pn532(let chip): content.tables["chip"] = chip.content
        }
        content.tables["reset"] = reset.content
        return content
    }
}

extension ReaderDeviceSettings {
    fileprivate init?(_ table: TableReading, reader name: String) {
        switch table.choice("type", ReaderType.self) {
        case .pcsc:
            guard let matchTable = table.tables["match"], let match = ReaderMatchSettings(matchTable) else { return nil }
            self = .pcsc(match, nameContains: matchTable.text("name-contains"))
        case .pn532:
            guard let chip = table.tables["chip"].flatMap({ ChipSettings($0, reader: name) }) else { return nil }
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

    var content: TableContent {
        var content = TableContent()
        switch self {
        case .name(let name): content.set("name", name)
        case .serial(let serial): content.set("serial", serial)
        case .port(let port): content.set("port", port)
        }
        return content
    }
}

extension ReaderResetSettings {
    init?(_ table: TableReading) {
        guard let usb = table.flag("usb") else { return nil }
        self.init(line: OutputSettings(table), usb: usb)
    }

    var content: TableContent {
        var content = line?.content ?? TableContent()
        content.set("usb", usb)
        return content
    }
}
