import Configuration
import ControlProtocol
import Credentials
import Encoding
import Lines
import Readers
import Service
import Storage
import Synchronization

/// One running gate: the rooms, put together. `tapstiled` is a thin shell around it; tests and
/// benchmarks run the same thing with a link of their own.
public final class Controller: Sendable {
    let parts: GateParts
    private let path: String
    private let version: String
    private let layout: Mutex<GateLayout>
    private let readers = Mutex<PCSCReaders?>(nil)
    private let control = Mutex<ControlServer?>(nil)
    private let log: Log

    /// Opens everything a gate needs. Lines come first: whatever was on them before, they are at their
    /// safe level from here on (L6).
    /// - Parameters:
    ///   - loaded: the configuration, checked as a whole.
    ///   - path: its file, for `reload`.
    ///   - version: of this build, for `status`.
    /// - Throws: what keeps the gate from starting; lines are back at rest then.
    public convenience init(_ loaded: LoadedConfiguration, path: String, version: String = "", logs: LogOutput) throws(StartError) {
        try self.init(loaded, path: path, version: version, bank: RoutedLineBank.open(loaded.configuration), logs: logs)
    }

    /// The same with lines of the caller's.
    init(_ loaded: LoadedConfiguration, path: String, version: String = "", bank: any LineBank, logs: LogOutput) throws(StartError) {
        do throws(StartError) {
            parts = try GateParts(loaded.configuration, bank: bank, logs: logs)
            layout = Mutex(try GateLayout(loaded.configuration, parts: parts))
        } catch {
            bank.release()
            throw error
        }
        self.path = path
        self.version = version
        log = logs.log("service")
        for warning in loaded.warnings { logs.log("configuration").warning(warning.description) }
    }

    // Life -----------------------------------------------------------------------------------------

    /// Starts serving: lanes, control socket, readers. Returns once the control socket answers.
    /// - Parameter withReaders: false where presentations come from the caller (tests, benchmarks).
    public func start(withReaders: Bool = true) throws(StartError) {
        let layout = self.layout.withLock { $0 }
        do {
            try parts.timekeeper.start()
            try parts.housekeeper.start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        parts.timekeeper.keep(Array(layout.lanes.values))
        parts.housekeeper.keep(Array(layout.lanes.values))
        for lane in layout.lanes.values { lane.start() }
        try startControl(layout.configuration.control)
        record(.service, "started")
        if layout.configuration.usesSimulatedLines {
            log.warning("simulated-lines: the configuration asks for simulated lines; no relay of this machine moves")
        }
        if withReaders { try startReaders(layout) }
        parts.events.emit(.service, ["state": "ready"])
    }

    /// Stops serving, ends pulses, takes every line to its safe level, closes the journal.
    public func stop() {
        parts.events.emit(.service, ["state": "stopping"])
        readers.withLock { $0 }?.stop()
        parts.timekeeper.stop()
        parts.housekeeper.stop()
        for lane in layout.withLock({ $0.lanes }).values { lane.rest() }
        parts.bank.release()
        record(.service, "stopped")
        // Letting go of the server also ends the circle of references through its handler.
        let server = control.withLock { control in
            defer { control = nil }
            return control
        }
        server?.stop()
        parts.journal.close()
        parts.trust.close()
    }

    private func startControl(_ settings: ControlSettings) throws(StartError) {
        let group = ControlGroup.identifier(named: settings.group)
        if group == nil {
            log.warning("group-missing: there is no group \(settings.group); only root may use the control socket")
        }
        let handler = ControlHandler(controller: self, group: group)
        do {
            let server = try ControlServer(
                path: settings.socket, group: group == nil ? nil : settings.group, notices: .ours,
                handler: { peer, line in handler.handle(peer, line) })
            parts.events.add { server.broadcast($0.line) }
            control.withLock { $0 = server }
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    private func startReaders(_ layout: GateLayout) throws(StartError) {
        let started = PCSCReaders(
            bindings: layout.configuration.readers.map { ReaderBinding($0) },
            onPresentation: { [self] reader, link in present(link, at: reader) },
            onChange: { [self] reader, state in note(state, of: reader) },
            onNote: { [log = parts.logs.log("readers")] reader, note in
                log.notice("\(note.code): \(reader.map { "reader \($0): " } ?? "")\(note.message)")
            })
        do {
            try started.start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        readers.withLock { $0 = started }
    }

    // Taps -----------------------------------------------------------------------------------------

    /// Runs one presentation at a reader, on the calling thread, which is the reader's own. Tests and
    /// benchmarks call it with a link in process.
    public func present(_ link: any Link, at reader: ReaderName) -> PresentationDisposition {
        guard let station = layout.withLock({ $0.stations[reader] }) else { return .done }
        return station.present(link)
    }

    private func note(_ state: ReaderState, of reader: ReaderName) {
        let (lane, faults) = layout.withLock { layout in
            (layout.stations[reader]?.lane, layout.stations[reader].flatMap { layout.readerFaults[$0.lane.name] })
        }
        guard let lane, let faults else { return }
        lane.setReaderFaults(faults.record(reader, state))
        parts.timekeeper.laneChanged()
        let log = parts.logs.log("readers")
        switch state {
        case .ready: log.notice("\(state.code): reader \(reader): \(state.message)")
        case .cardPresent: log.debug("\(state.code): reader \(reader)")
        case .serviceDown, .absent, .ambiguous, .stuck: log.warning("\(state.code): reader \(reader): \(state.message)")
        }
        parts.events.emit(.reader, ["reader": .string(reader), "lane": .string(lane.name), "state": .string(state.code),
                                    "detail": .string(state.message)])
    }

    // Control --------------------------------------------------------------------------------------

    /// From now on `listener` hears every event.
    public func listen(_ listener: @escaping EventHub.Listener) {
        parts.events.add(listener)
    }

    /// How the gate is.
    public var status: JSON {
        let readers = self.readers.withLock { $0 }
        return StatusReport(version: version, layout: layout.withLock { $0 }, parts: parts, readerState: { readers?.state(of: $0) }).json
    }

    func journalPage(_ query: JournalQuery) throws(ControlError) -> JSON {
        do {
            return try JournalReport.page(query, of: parts.journal)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// Applies the publication in `file`. Taps go on meanwhile.
    func importPublication(_ file: PassedFile) throws(ControlError) -> JSON {
        try importPublication(descriptor: file.descriptor)
    }

    /// Applies a publication: verified whole, or the data in use stay as they are.
    public func importPublication(descriptor: Int32) throws(ControlError) -> JSON {
        let layout = self.layout.withLock { $0 }
        let applied: TrustPublication
        do throws(ImportError) {
            applied = try parts.trust.apply(descriptor: descriptor, site: layout.configuration.site.identifier,
                                            siteKey: layout.identity.siteKey, clock: ClockReading(parts.clock.now()))
        } catch {
            parts.logs.log("trust").warning("\(error.code): \(error.message)")
            record(.trust, "refused", reason: error.code)
            throw ControlError(code: error.code, message: error.message)
        }
        parts.clock.raiseFloor(toMilliseconds: applied.issuedAt * 1000)
        record(.trust, "applied", detail: ["version": .unsigned(applied.version)])
        let version = Int64(clamping: applied.version)
        parts.logs.log("trust").notice("publication \(version) applied: \(applied.counts.total) records")
        parts.events.emit(.trust, ["state": "applied", "version": .integer(version)])
        return ["version": .integer(version), "records": .integer(Int64(clamping: applied.counts.total)),
                "issued": .string(UTCText.make(milliseconds: applied.issuedAt * 1000))]
    }

    /// Reads the configuration again. On any error, and where a change needs a restart, everything
    /// stays as it is. A running pulse is untouched either way.
    public func reload() throws(ControlError) -> JSON {
        do throws(ControlError) {
            let next = try readAgain()
            try adopt(next.configuration)
            record(.configuration, "reloaded")
            parts.events.emit(.configuration, ["result": "reloaded"])
            return ["result": "reloaded", "warnings": .array(next.warnings.map { .string($0.description) })]
        } catch {
            parts.logs.log("configuration").error("\(error.code): \(error.message)")
            record(.configuration, "refused", reason: error.code)
            parts.events.emit(.configuration, ["result": "refused", "code": .string(error.code)])
            throw error
        }
    }

    private func readAgain() throws(ControlError) -> LoadedConfiguration {
        do {
            return try ConfigurationFile.load(path: path)
        } catch {
            throw ControlError(code: error.code, message: "\(error.message)\n\(error.description)")
        }
    }

    private func adopt(_ next: GateConfiguration) throws(ControlError) {
        let current = layout.withLock { $0 }
        let fixed = current.configuration.settingsThatNeedARestart(comparedWith: next)
        guard fixed.isEmpty else {
            throw ControlError(code: "restart-needed", message: "A restart is needed to change \(fixed.joined(separator: ", ")).")
        }
        let replacement: GateLayout
        do {
            replacement = try GateLayout(next, parts: parts, previous: current)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        layout.withLock { $0 = replacement }
        replacement.adoptRules()
        parts.logs.apply(LogSettings(next.log))
        parts.clock.apply(ClockPolicy(next.clock))
        parts.timekeeper.laneChanged()
    }

    private func record(_ kind: JournalKind, _ what: String, reason: String? = nil, detail: [String: CBOR] = [:]) {
        _ = parts.journal.append(JournalEntry(kind: kind, time: parts.journalTime, reason: reason,
                                              detail: detail.merging(["what": .text(what)]) { own, _ in own }))
    }
}
