extension ReaderSettings {
    init?(_ table: TableReading) {
        guard let name = table.text("name"), let lane = table.text("lane"),
              let direction = table.choice("direction", PassageDirection.self),
              let type = table.choice("type", ReaderType.self),
              let matchTable = table.tables["match"], let match = ReaderMatchSettings(matchTable),
              let deadline = table.integer("presentation-deadline-ms"), let stuckAfter = table.integer("stuck-after-ms")
        else { return nil }
        self.init(name: name, lane: lane, direction: direction, type: type, match: match,
                  nameContains: matchTable.text("name-contains"), presentationDeadlineMilliseconds: deadline,
                  stuckAfterMilliseconds: stuckAfter)
    }

    var content: TableContent {
        var content = TableContent()
        content.set("name", name)
        content.set("lane", lane)
        content.set("direction", direction)
        content.set("type", type)
        content.set("presentation-deadline-ms", presentationDeadlineMilliseconds)
        content.set("stuck-after-ms", stuckAfterMilliseconds)
        var matchContent = match.content
        matchContent.set("name-contains", nameContains)
        content.tables["match"] = matchContent
        return content
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
