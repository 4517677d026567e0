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

    private func note(_ state: ReaderState, of reader: ReaderName) {
        let (station, carriers) = layout.withLock { layout in
            (layout.stations[reader], layout.stations[reader].flatMap { layout.carriers[$0.lane.name] })
        }
        guard let station, let carriers else { return }
        let lane = station.lane
        lane.setReaderFaults(carriers.record(reader, toward: station.direction, state))
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
        let started = try opened(layout)
        do {
            try started.start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        readers.withLock { $0 = started }
    }

    private func opened(_ layout: GateLayout) throws(StartError) -> GateReaders {
        do {
            return try GateReaders(
                pcsc: layout.configuration.readers.compactMap { ReaderBinding($0) }, loops: parts.heartbeat.loops,
                onPresentation: { [self] reader, link in present(link, at: reader) },
                onChange: { [self] reader, state in note(state, of: reader) },
                onNote: { [log = parts.logs.log("readers")] reader, note in
                    log.notice("\(note.code): \(reader.map { "reader \($0): " } ?? "")\(note.message)")
                })
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }
}
