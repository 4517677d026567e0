import CLinux
import Configuration
import ControlProtocol
import Encoding
import Files
import Gate
import Service
import Sync
import Threads

extension Controller {
    /// Begins to synchronise, where the configuration says whom to believe: with a server, and with folders that somebody brings.
    func startSync(_ configuration: GateConfiguration) throws(StartError) {
        guard configuration.trust.root != nil else { return }
        let thread = try syncThread(configuration)
        do throws(SystemError) {
            try thread.start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        sync.withLock { $0 = thread }
    }

    private func syncThread(_ configuration: GateConfiguration) throws(StartError) -> SyncThread {
        let bell: SyncBell
        do throws(SystemError) {
            bell = try SyncBell()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        let worker = worker(configuration, bell)
        let hasData = { @Sendable [parts, weak self] in
            let configuration = self?.layout.withLock { $0 }.configuration ?? configuration
            return parts.trust.status.publication.map(configuration.zonesAgree) ?? false
        }
        let plan = configuration.sync.map { settings in
            SyncPlan(period: settings.period, hasData: hasData(), spread: settings.startSpread, at: MonotonicTime.milliseconds, random: .random(in: 0 ... .max))
        }
        // Of site data that are gone nothing went well.
        let past = hasData() ? SyncPast(directory: configuration.store.directory, site: configuration.site.identifier) : nil
        return SyncThread(plan ?? SyncPlan(), from: configuration.sync?.url, past: past, bell: bell, loops: parts.heartbeat.loops, work: SyncThread.Work(
            run: { worker.run($0, of: $1, $2, givesWay: $3) }, rest: { worker.rest() }, asked: { worker.forgetRefusals() }, hasData: hasData,
            remember: { worker.remember($0) }))
    }

    private func worker(_ configuration: GateConfiguration, _ bell: SyncBell) -> SyncWorker {
        let surroundings = SyncWorker.Surroundings(trust: parts.trust, recorder: parts.recorder, events: parts.events, logs: parts.logs)
        return SyncWorker(surroundings, bell: bell, version: version, means: SyncWorker.Means(
            configuration: { [weak self] in self?.layout.withLock { $0 }.configuration ?? configuration },
            applied: { [weak self] in self?.siteDataApplied($0, by: $1) },
            isCurrent: { [weak self] in self?.siteDataVerified($0, renewal: $1) }))
    }

    /// Ends what goes on, and the thread.
    func stopSync() {
        let thread = sync.withLock { sync in
            defer { sync = nil }
            return sync
        }
        thread?.stop()
    }

    /// Site data that were taken for other zones are fetched anew at once: people are missing, or too many are there.
    func followZones(_ configuration: GateConfiguration) {
        guard let publication = parts.trust.status.publication, !configuration.zonesAgree(with: publication) else { return }
        parts.logs.log("sync").notice("trust-zones-outdated: the whole is fetched for the zones that this gate has now")
        _ = sync.withLock { $0 }?.ask()
    }

    /// Somebody wants a run: answers its number.
    func synchronise() throws(ControlError) -> JSON { ["run": .integer(Int64(clamping: try withServer().ask()))] }

    /// How that run is.
    func syncReport(ofRun run: UInt64) throws(ControlError) -> JSON { try withServer().report.withLock { $0 }.json(ofRun: run) }

    private func withServer() throws(ControlError) -> SyncThread {
        let configuration = layout.withLock { $0 }.configuration
        if configuration.sync != nil { return try runningSync() }
        if let path = configuration.trust.siteFile {
            throw ControlError(code: "gate-stand-alone", message: "This gate has its site data from \(path) (trust.site-file), and from nowhere else.")
        }
        throw ControlError(code: "sync-off", message: "This gate does not synchronise: trust.root and sync.url say from where, in the configuration.")
    }

    /// Says that a role will end soon, or has ended: once each time another one does.
    func reportRoleEnds() {
        guard let ends = sync.withLock({ $0 })?.report.withLock({ $0.ends }) else { return }
        let warning = ends.warning(at: max(parts.clock.now().seconds, parts.clock.floorMilliseconds / 1000))
        let isNews = reportedRoleEnds.withLock { told in
            defer { told = warning }
            return told != warning
        }
        if isNews, let warning { parts.logs.log("sync").warning("\(warning.code): \(warning.message)") }
    }

    // Folders ------------------------------------------------------------------------------------

    /// Somebody brings a folder, such as a stick: answers the number of the import (S6).
    /// - Parameters:
    ///   - descriptor: the connection to who reads it; it stays the caller's.
    ///   - requester: who asked over the control socket.
    public func importFolder(descriptor: Int32, by requester: Requester? = nil) throws(ControlError) -> JSON {
        let thread = try withRoot()
        guard let visit = try Self.visit(descriptor, requester) else { throw ControlError(code: "request-malformed", message: "What came with the request is no connection.") }
        guard let number = thread.visit(visit) else {
            throw ControlError(code: "import-waiting", message: "Another folder of this user waits already, or several of others do: try again when that import is over.")
        }
        return ["import": .integer(Int64(clamping: number))]
    }

    private static func visit(_ descriptor: Int32, _ requester: Requester?) throws(ControlError) -> FolderVisit? {
        do throws(SystemError) {
            return try FolderVisit(descriptor: descriptor, by: requester)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// How that import is; with what is in use when it is over and in order.
    public func importReport(_ number: UInt64) throws(ControlError) -> JSON {
        guard let thread = sync.withLock({ $0 }), let report = thread.json(ofVisit: number) else {
            throw ControlError(code: "import-unknown", message: "Nobody remembers an import with this number: the gate has started anew, or others came since.")
        }
        guard report["ended"]?.bool == true, report["failure"] == nil, let used = parts.trust.status.publication, case .object(var fields) = report else {
            return report
        }
        fields["version"] = .integer(Int64(clamping: used.version))
        fields["records"] = .integer(Int64(clamping: used.counts.total))
        fields["issued"] = .string(UTCText.make(seconds: parts.age.issued(used)))
        return .object(fields)
    }

    private func withRoot() throws(ControlError) -> SyncThread {
        if let path = layout.withLock({ $0 }).configuration.trust.siteFile { throw refuseImport(atGateWith: path) }
        return try runningSync()
    }

    /// The control socket answers before it runs, which waits for the readers.
    private func runningSync() throws(ControlError) -> SyncThread {
        if let thread = sync.withLock({ $0 }) { return thread }
        throw ControlError(code: "gate-not-ready", message: "The gate is starting, or it stops: try again in a moment.")
    }
}
