import Configuration
import ControlProtocol
import Encoding
import Radio
import Service
import Tap

extension Controller {
    /// Puts the radios on the air. A gate without any starts no thread for them.
    func startRadios(_ layout: GateLayout) throws(StartError) {
        guard !layout.radios.isEmpty else { return }
        let log = parts.logs.log("radio")
        let desks = RadioDesks(
            radios: Array(layout.radios.keys), onState: { [self] radio, state in note(state, of: radio) },
            onFindings: { findings in
                for finding in findings { log.warning("\(finding.code): \(finding.message)") }
            })
        do {
            let radios = try Radios(
                bindings: layout.configuration.radios.map { RadioBinding($0, layout.configuration) }, loops: parts.heartbeat.loops,
                client: desks, onNote: { radio, note in
                    log.notice("\(note.code): \(radio.map { "radio \($0): " } ?? "")\(note.message)")
                })
            for (name, station) in layout.radios { desks.place(desk(station, radios), at: name) }
            air.withLock { $0 = Air(radios: radios, desks: desks) }
            try radios.start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    /// Letting go also ends the circle of references through the desks.
    func stopRadios() {
        let air = air.withLock { air in
            defer { air = nil }
            return air
        }
        air?.radios.stop()
        air?.desks.close()
    }

    func desk(_ station: RadioStation, _ control: any LinkControl) -> RadioDesk {
        RadioDesk(station, station: { [self, name = station.name] in layout.withLock { $0.radios[name] } }, control: control,
                  report: NearbyReport(radio: station.name, events: parts.events), log: parts.logs.log("conversations"))
    }

    /// A radio is good for something else than before: its lanes, log and events hear of it.
    private func note(_ state: RadioState, of radio: String) {
        let (station, carriers) = layout.withLock { ($0.radios[radio], $0.carriers) }
        guard let station else { return }
        for tap in station.lanes {
            guard let carriers = carriers[tap.lane.name] else { continue }
            tap.lane.setReaderFaults { carriers.record(radio: radio, isInService: state.isInService) }
            tap.timekeeper.laneChanged()
        }
        let log = parts.logs.log("radio")
        switch state {
        case .ready: log.notice("\(state.code): radio \(radio): \(state.message)")
        case .starting: log.info("\(state.code): radio \(radio): \(state.message)")
        case .busDown, .serviceDown, .serviceSilent, .absent, .ambiguous, .off, .blocked, .noPeripheralRole, .refused, .strengthUnknown:
            log.warning("\(state.code): radio \(radio): \(state.message)")
        }
        parts.events.emit(.radio, ["radio": .string(radio), "lanes": .array(station.lanes.map { .string($0.lane.name) }),
                                   "state": .string(state.code), "detail": .string(state.message)])
    }
}

extension RadioBinding {
    /// Phones know the characteristic by what it can do: it is the only one.
    private static let characteristic = "00005302-0010-002a-426c-756549442a00"

    /// What an installer has written, and what phones find: the lane's name, or the gate's where several lanes share the radio, at the site's.
    init(_ settings: RadioSettings, _ configuration: GateConfiguration) {
        let place = settings.lanes.count == 1 ? settings.lanes[0] : configuration.gate.identifier
        self.init(name: settings.name, address: settings.address, serviceUUID: settings.service,
                  characteristicUUID: Self.characteristic, localName: "\(place)@\(configuration.site.identifier)",
                  wantsStrength: settings.mode == .onTouch)
    }
}

/// The radios of a gate and who serves them.
struct Air: Sendable {
    let radios: Radios
    let desks: RadioDesks
}
