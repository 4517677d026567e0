import Configuration
import ControlProtocol
import Credentials
import Encoding
import Lanes
import Lines
import Readers
import Service
import Storage
import Sync
import Threads

/// One running gate: the rooms, put together. `tapstiled` is a thin shell around it; tests and
/// benchmarks run the same thing with a link of their own.
///
/// Any thread may ask; services start and stop in their order. Each lock guards one value, which is copied out or replaced; nothing is called
/// under any of them.
public final class Controller: Sendable {
    let parts: GateParts
    /// What the gate believes of its site, for whoever brings bundles of a repository.
    package var siteData: TrustStore { parts.trust }
    let path: String
    let version: String
    let layout: Mutex<GateLayout>
    let readers = Mutex<GateReaders?>(nil)
    let air = Mutex<Air?>(nil)
    let control = Mutex<ControlServer?>(nil)
    /// The thread that synchronises; nil where nothing is fetched.
    let sync = Mutex<SyncThread?>(nil)
    let log: Log
    /// The configuration of the start.
    let loaded: LoadedConfiguration
    /// The USB ports of readers that are shut at this moment.
    let shutPorts: ShutPorts
    /// Listens to contacts; the same before and after a reload.
    let inputs: InputWatch
    /// Whether a reload is under way.
    let reloading = Monitor(false)
    /// What was said last about the age of the site data: its code.
    let reportedAge = Mutex<String?>(nil)
    /// Why the age by hours of service was not written, when that was said last.
    let loggedAgeFailure = Mutex<String?>(nil)
    /// What was said last of the end of a role.
    let reportedRoleEnds = Mutex<RoleEnds.Warning?>(nil)
    /// What was said last about collecting the journal.
    let reportedCollection = Mutex(JournalCollectionState.inOrder)
    /// What was said last about the keys in force.
    let loggedKeys = Mutex<KeyTidings?>(nil)
    /// What was said last about the clock's word.
    let reportedClock = Mutex<ClockNews?>(nil)

    /// Opens everything a gate needs. Lines come first: whatever was on them before, they are at their
    /// safe level from here on (L6).
    /// - Parameters:
    ///   - loaded: the configuration, checked as a whole.
    ///   - path: its file, for `reload`.
    ///   - version: of this build, for `status`.
    ///   - loops: every loop of the program, those of `logs` among them; the watchdog is fed while all go on.
    /// - Throws: what keeps the gate from starting; lines are back at their safe level then.
    public convenience init(_ loaded: LoadedConfiguration, path: String, version: String = "", logs: LogOutput,
                            loops: Loops = Loops()) throws(StartError) {
        try self.init(loaded, path: path, version: version, bank: RoutedLineBank.open(loaded.configuration), logs: logs, loops: loops)
    }

    /// The same with lines of the caller's.
    package convenience init(_ loaded: LoadedConfiguration, path: String, version: String = "", bank: any LineBank, logs: LogOutput,
                             loops: Loops = Loops()) throws(StartError) {
        try self.init(loaded, path: path, version: version, bank: bank, logs: logs, loops: loops, outlet: .systemd)
    }

    /// The same with a watchdog of the caller's.
    init(_ loaded: LoadedConfiguration, path: String, version: String = "", bank: any LineBank, logs: LogOutput,
         loops: Loops, outlet: Heartbeat.Outlet) throws(StartError) {
        do throws(StartError) {
            parts = try GateParts(loaded.configuration, bank: bank, logs: logs, loops: loops, outlet: outlet)
            layout = Mutex(try GateLayout(loaded.configuration, parts: parts))
            inputs = try Self.listening(loaded.configuration, bank, loops, logs)
        } catch {
            bank.release()
            throw error
        }
        shutPorts = ShutPorts(directory: loaded.configuration.store.directory)
        self.loaded = loaded
        self.path = path
        self.version = version
        log = logs.log("service")
        for warning in loaded.warnings { logs.log("configuration").warning(warning.description) }
        logKeys(layout.withLock { $0 }.identity)
        readSiteFileAtStart(loaded.configuration)
        logLanes(loaded.configuration)
    }

    private static func listening(_ configuration: GateConfiguration, _ bank: any LineBank, _ loops: Loops,
                                  _ logs: LogOutput) throws(StartError) -> InputWatch {
        do {
            return try InputWatch(InputBoard(configuration), bank: bank, loops: loops, log: logs.log("lines"))
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    /// Starts serving: lanes, control socket, readers. Returns once the control socket answers.
    /// - Parameters:
    ///   - withReaders: false where presentations come from the caller (tests, benchmarks).
    ///   - onBreakdown: called when a part that must not end has ended: the gate is to be stopped.
    /// - Throws: why a service did not start; the others are stopped again, and lines are at their safe level.
    public func start(withReaders: Bool = true,
                      onBreakdown: @escaping @Sendable (Breakdown) -> Void = { _ in }) throws(StartError) {
        try services(withReaders: withReaders, onBreakdown: onBreakdown).start()
        parts.events.emit(.service, ["state": "ready"])
    }

    /// Stops serving, ends pulses, takes every line to its safe level, closes the journal.
    /// - Parameter notify: is told which part of the gate is being stopped.
    public func stop(notify: (String) -> Void = { _ in }) {
        parts.events.emit(.service, ["state": "stopping"])
        services(withReaders: true, onBreakdown: { _ in }).stop(notify: notify)
    }

    /// Names what lanes want and the gate does not have.
    func logLanes(_ configuration: GateConfiguration) {
        for lane in configuration.lanes {
            for warning in LaneWarning.all(lane, parts.schedules, at: parts.clock.now().reading) {
                log.warning("\(warning.code): lane \(lane.name): \(warning.message)")
            }
        }
    }

    /// Keeps what lines are to be put at their safe level when this process has ended, whatever the configuration says
    /// by then. A gate goes on without it.
    func keepLines(_ configuration: GateConfiguration) {
        do {
            try LinesInForce(configuration).keep(in: configuration.store.directory)
        } catch {
            parts.logs.log("lines").error("lines-not-kept: \(error.message)")
        }
    }
}
