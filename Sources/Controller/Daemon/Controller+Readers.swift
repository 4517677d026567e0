import Configuration
import ControlProtocol
import Encoding
import Readers
import Service

extension Controller {
    /// Runs one presentation at a reader, on the calling thread, which is the reader's own. Tests and
    /// benchmarks call it with a link in process.
    public func present(_ link: any Link, at reader: ReaderName) -> PresentationDisposition {
        guard let station = layout.withLock({ $0.stations[reader] }) else { return .done }
        return station.present(link)
    }

    /// Judges a UID-only card at a reader, on the calling thread, which is the reader's own.
    public func present(card number: [UInt8], at reader: ReaderName) -> PresentationDisposition {
        guard let station = layout.withLock({ $0.stations[reader] }) else { return .done }
        return station.present(card: number)
    }

    private func note(_ state: ReaderState, of reader: ReaderName) {
        let (station, carriers) = layout.withLock { layout in
            (layout.stations[reader], layout.stations[reader].flatMap { layout.carriers[$0.lane.name] })
        }
        guard let station, let carriers else { return }
        let lane = station.lane
        lane.setReaderFaults { carriers.record(reader, toward: station.direction, state) }
        station.timekeeper.laneChanged()
        let log = parts.logs.log("readers")
        switch state {
        case .ready: log.notice("\(state.code): reader \(reader): \(state.message)")
        case .cardPresent: log.debug("\(state.code): reader \(reader)")
        case .serviceDown, .serviceSilent, .absent, .ambiguous, .refused, .unconnected, .stuck, .recovering, .failed:
            log.warning("\(state.code): reader \(reader): \(state.message)")
        }
        parts.events.emit(.reader, ["reader": .string(reader), "lane": .string(lane.name), "state": .string(state.code),
                                    "detail": .string(state.message)])
    }

    func startReaders(_ layout: GateLayout) throws(StartError) {
        openPortsLeftShut()
        logResetLines(layout.configuration)
        let started = try opened(layout)
        do {
            try started.start()
        } catch {
            // Some of their threads may run by now.
            started.stop()
            throw StartError(code: error.code, message: error.message)
        }
        readers.withLock { $0 = started }
    }

    /// Lets readers go on whose settings a reload has changed; the others are not disturbed.
    func adoptReaders(_ bindings: [ChipReaderBinding]) {
        guard let readers = readers.withLock({ $0 }) else { return }
        for binding in bindings { readers.replace(binding) }
    }

    /// The PN532s of a configuration whose settings differ from those of another one.
    func chips(of configuration: GateConfiguration, unlike other: GateConfiguration? = nil) throws(StartError) -> [ChipReaderBinding] {
        var bindings: [ChipReaderBinding] = []
        for settings in configuration.readers where !(other?.readers.contains { $0.isUsedLike(settings) } ?? false) {
            if let binding = try ChipReaderBinding(settings, bank: parts.bank, shut: shutPorts) { bindings.append(binding) }
        }
        return bindings
    }

    /// A gate that was killed while a port was shut could not open it.
    private func openPortsLeftShut() {
        let log = parts.logs.log("readers")
        for (port, failure) in shutPorts.openLeftBehind() {
            if let failure {
                log.error("usb-port-denied: the port \(port) was left shut and cannot be opened. \(failure.message)")
            } else {
                log.notice("usb-port-opened: the port \(port) was left shut and is open again")
            }
        }
    }

    private func logResetLines(_ configuration: GateConfiguration) {
        for reader in configuration.readers where reader.reset.line != nil {
            guard let fault = parts.bank.faults[reader.resetLine] else { continue }
            parts.logs.log("lines").warning("\(fault.code): the reset line of reader \(reader.name): \(fault.message)")
        }
    }

    private func opened(_ layout: GateLayout) throws(StartError) -> GateReaders {
        let chips = try chips(of: layout.configuration)
        do {
            return try GateReaders(
                pcsc: layout.configuration.readers.compactMap { ReaderBinding($0) }, ports: layout.configuration.ports(shutPorts), chips: chips,
                loops: parts.heartbeat.loops,
                onPresentation: { [self] reader, link in present(link, at: reader) },
                onUIDOnlyCard: { [self] reader, number in present(card: number, at: reader) },
                onChange: { [self] reader, state in note(state, of: reader) },
                onNote: { [log = parts.logs.log("readers")] reader, note in
                    log.notice("\(note.code): \(reader.map { "reader \($0): " } ?? "")\(note.message)")
                })
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }
}

extension ReaderSettings {
    /// Whether it is the same reader, used in the same way.
    func isUsedLike(_ other: ReaderSettings) -> Bool { name == other.name && device == other.device && reset == other.reset }
}
