import Configuration

extension GateConfiguration {
    /// The settings that differ in `next` and that a running gate cannot change: who it is, where its
    /// state lies, and how it is wired. Everything else a reload takes over.
    func settingsThatNeedARestart(comparedWith next: GateConfiguration) -> [String] {
        var fixed: [String] = []
        if site.identifier != next.site.identifier { fixed.append("site.id") }
        if gate.identifier != next.gate.identifier { fixed.append("gate.id") }
        if (trust.siteFile == nil) != (next.trust.siteFile == nil) { fixed.append("trust.site-file") }
        if (trust.root == nil) != (next.trust.root == nil) { fixed.append("trust.root") }
        if (sync == nil) != (next.sync == nil) { fixed.append("sync.url") }
        if store != next.store { fixed.append("store") }
        if control != next.control { fixed.append("control") }
        if audit.maximumRecords != next.audit.maximumRecords { fixed.append("audit.max-records") }
        if inputs != next.inputs { fixed.append("the inputs of the gate") }
        if audit.collect != next.audit.collect { fixed.append("audit.collect") }
        if audit.onFull != next.audit.onFull { fixed.append("audit.on-full") }
        if lanes.map(\.name) != next.lanes.map(\.name) {
            fixed.append("the set of lanes")
        } else {
            for (lane, other) in zip(lanes, next.lanes) where !lane.isWiredLike(other) {
                fixed.append("the lines of lane \(lane.name)")
            }
        }
        if readers.map(\.wiring) != next.readers.map(\.wiring) { fixed.append("the bindings of readers") }
        if radios.map(\.wiring) != next.radios.map(\.wiring) { fixed.append("the bindings of radios") }
        return fixed
    }
}

extension LaneSettings {
    fileprivate func isWiredLike(_ other: LaneSettings) -> Bool {
        outputs.map(\.purpose) == other.outputs.map(\.purpose) && outputs.map(\.output) == other.outputs.map(\.output)
            && inputs == other.inputs && lineOutputs == other.lineOutputs
    }
}

extension ReaderSettings {
    /// How the reader is found and supervised, and which lane it serves. A PN532 goes on with other settings while the gate runs.
    fileprivate var wiring: ReaderWiring {
        switch device {
        case .pcsc: ReaderWiring(name: name, lane: lane, device: device, reset: reset, stuckAfterMilliseconds: stuckAfterMilliseconds)
        case .pn532: ReaderWiring(name: name, lane: lane, reset: ReaderResetSettings(line: reset.line))
        }
    }

    /// Whether it is the same reader, used in the same way.
    func isUsedLike(_ other: ReaderSettings) -> Bool { name == other.name && device == other.device && reset == other.reset }
}

extension RadioSettings {
    /// Which adapter the radio is, what it tells phones, and which lanes it serves.
    fileprivate var wiring: RadioWiring {
        RadioWiring(name: name, lanes: lanes, address: address, mode: mode, service: service)
    }
}

/// The settings of a reader that a running gate cannot change.
private struct ReaderWiring: Equatable {
    let name: String
    let lane: String
    /// Nil for a PN532.
    var device: ReaderDeviceSettings?
    let reset: ReaderResetSettings
    var stuckAfterMilliseconds: Int?
}

/// The settings of a radio that a running gate cannot change.
private struct RadioWiring: Equatable {
    let name: String
    let lanes: [String]
    let address: String?
    let mode: RadioMode
    let service: String
}
