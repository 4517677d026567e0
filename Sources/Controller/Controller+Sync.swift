import Configuration
import ControlProtocol
import Encoding
import Service
import Storage
import Threads

extension Controller {
    /// Begins to synchronise, where the configuration says from where.
    func startSync(_ configuration: GateConfiguration) throws(StartError) {
        guard configuration.trust.root != nil, let settings = configuration.sync else { return }
        let thread = try syncThread(configuration, settings)
        do throws(SystemError) {
            try thread.start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        sync.withLock { $0 = thread }
    }

    private func syncThread(_ configuration: GateConfiguration, _ settings: SyncSettings) throws(StartError) -> SyncThread {
        let bell: SyncBell
        do throws(SystemError) {
            bell = try SyncBell()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        let worker = try worker(configuration, bell)
        let plan = SyncPlan(period: settings.period, hasData: parts.trust.status.publication != nil, at: MonotonicTime.milliseconds,
                            random: .random(in: 0 ... .max))
        return SyncThread(plan, from: settings.url, bell: bell, loops: parts.heartbeat.loops, work: SyncThread.Work(
            run: { worker.run($0, $1) }, rest: { worker.rest() }, hasData: { [parts] in parts.trust.status.publication != nil }))
    }

    private func worker(_ configuration: GateConfiguration, _ bell: SyncBell) throws(StartError) -> SyncWorker {
        let memory: RepositoryMemory
        do throws(StorageError) {
            memory = try RepositoryMemory(directory: configuration.store.directory)
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        return SyncWorker(parts, memory: memory, bell: bell, version: version, means: SyncWorker.Means(
            configuration: { [weak self] in self?.layout.withLock { $0 }.configuration ?? configuration },
            applied: { [weak self] in self?.siteDataApplied($0) },
            isCurrent: { [weak self] in self?.siteDataVerified($0) }))
    }

    /// Ends what goes on, and the thread.
    func stopSync() {
        let thread = sync.withLock { sync in
            defer { sync = nil }
            return sync
        }
        thread?.stop()
    }

    /// Somebody wants a run: answers its number.
    func synchronise() throws(ControlError) -> JSON { ["run": .integer(Int64(clamping: try running().ask()))] }

    /// How that run is.
    func syncReport(ofRun run: UInt64) throws(ControlError) -> JSON { try running().report.withLock { $0 }.json(ofRun: run) }

    private func running() throws(ControlError) -> SyncThread {
        if let thread = sync.withLock({ $0 }) { return thread }
        if let path = layout.withLock({ $0 }).configuration.trust.siteFile {
            throw ControlError(code: "gate-stand-alone", message: "This gate has its site data from \(path) (trust.site-file), and from nowhere else.")
        }
        throw ControlError(code: "sync-off", message: "This gate does not synchronise: trust.root and sync.url say from where, in the configuration.")
    }
}
