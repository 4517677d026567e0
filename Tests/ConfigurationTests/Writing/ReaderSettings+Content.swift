@testable import Configuration

extension ReaderSettings {
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

extension ReaderMatchSettings {
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
    var content: TableContent {
        var content = line?.content ?? TableContent()
        content.set("usb", usb)
        return content
    }
}

extension ChipSettings {
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

extension RadioSettings {
    var content: TableContent {
        var content = TableContent()
        content.set("name", name)
        content.set("lanes", lanes)
        content.set("direction", direction)
        content.set("address", address)
        content.set("mode", mode)
        content.set("manual", manual)
        content.set("service-uuid", serviceUUID)
        content.set("links", links)
        content.set("presentation-deadline-ms", presentationDeadlineMilliseconds)
        content.set("report-interval-ms", reportIntervalMilliseconds)
        return content
    }
}
