import Spelling

extension CrossChecks {
    /// One way to find a device.
    private struct Device: Hashable {
        let key: String
        let value: String
        let part: String?
    }

    /// Each reader serves a lane that exists and is found in exactly one way, which is its own.
    mutating func checkReaders() {
        var first: [Device: String] = [:]
        for reader in readers {
            checkLane(of: reader)
            guard let match = reader.tables["match"] else { continue }
            let given = ReaderMatchSettings.keys.filter { match.present.contains($0) }
            if given.count != 1 {
                let found = given.isEmpty ? "none of them" : given.joined(separator: " and ")
                issues.error("reader-match", at: match.position,
                             "\(match.path) needs exactly one of name, serial, port; it has \(found).")
            } else if let key = given.first, let value = match.text(key) {
                let device = Device(key: key, value: value, part: match.text("name-contains"))
                if let earlier = first[device] {
                    issues.error("reader-bound-twice", at: match.position(of: key),
                                 "\(match.path) finds the same device as \(earlier).")
                } else {
                    first[device] = match.path
                }
            }
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
