import Spelling

extension CrossChecks {
    /// One way to find a device.
    struct FoundDevice: Hashable {
        let key: String
        let value: String
        var part: String?
    }

    /// Each reader serves a lane that exists and is found in exactly one way, which is its own.
    mutating func checkReaders() {
        var first: [FoundDevice: String] = [:]
        for reader in readers {
            checkLane(of: reader)
            switch reader.choice("type", ReaderType.self) {
            case .pcsc: checkMatch(of: reader, &first)
            case .pn532: checkChip(of: reader, &first)
            case nil: break
            }
            checkReset(of: reader)
        }
    }

    private mutating func checkMatch(of reader: TableReading, _ first: inout [FoundDevice: String]) {
        if let chip = reader.tables["chip"] {
            issues.error("reader-chip", at: chip.position,
                         "\(chip.path) is a PN532, and \(reader.path).type is \"pcsc\": write `type = \"pn532\"`, or remove the table.")
            return
        }
        let match = reader.tables["match"]
        let given = ReaderMatchSettings.keys.filter { match?.present.contains($0) ?? false }
        if given.count != 1 {
            let found = given.isEmpty ? "none of them" : given.joined(separator: " and ")
            issues.error("reader-match", at: match?.position ?? reader.position,
                         "\(reader.path).match needs exactly one of name, serial, port; it has \(found).")
        } else if let match, let key = given.first, let value = match.text(key) {
            let device = FoundDevice(key: key, value: value, part: match.text("name-contains"))
            checkAlone(device, of: match, at: key, &first)
        }
    }

    /// No two readers are one device.
    mutating func checkAlone(_ device: FoundDevice, of table: TableReading, at key: String, _ first: inout [FoundDevice: String]) {
        if let earlier = first[device] {
            issues.error("reader-bound-twice", at: table.position(of: key), "\(table.path) finds the same device as \(earlier).")
        } else {
            first[device] = table.path
        }
    }

    private mutating func checkLane(of reader: TableReading) {
        guard let lane = reader.text("lane") else { return }
        checkLane(lane, of: reader, at: reader.position(of: "lane"))
        guard let its = lanes.first(where: { $0.text("name") == lane }), its.choice("carriers", CarrierSetting.self) == .bleOnly else { return }
        issues.warning("reader-unused", at: reader.position(of: "lane"),
                       "\(reader.path) serves nobody: the lane \"\(lane)\" is \(CarrierSetting.bleOnly.rawValue).")
    }

    /// What serves a lane names one that exists.
    mutating func checkLane(_ lane: String, of table: TableReading, at position: TextPosition) {
        let known = lanes.compactMap { $0.text("name") }
        guard !known.contains(lane) else { return }
        // A lane whose own name could not be read may be the one that is meant.
        guard known.count == lanes.count else { return }
        issues.error("unknown-lane", at: position, "There is no lane \"\(lane)\" for \(table.path).",
                     suggestion: NearestName.find(lane, among: known))
    }

    /// A lane that is served over BLE only needs no reader.
    mutating func checkLanesHaveReaders() {
        let served = readers.compactMap { $0.text("lane") }
        for lane in lanes where lane.choice("carriers", CarrierSetting.self) != .bleOnly {
            guard let name = lane.text("name"), !served.contains(name) else { continue }
            issues.warning("lane-without-reader", at: lane.position, "The lane \"\(name)\" has no reader.")
        }
    }
}
