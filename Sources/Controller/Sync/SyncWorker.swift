import AuditJournal
import Configuration
import ControlProtocol
import Encoding
import Files
import Gate
import Service
import SiteData
import Storage
import Threads

/// Makes the runs of a gate: puts together what a run works with, and tells people what comes of it.
///
/// `@unchecked Sendable`: it is used on the thread that synchronises alone; what others see of it lies behind the locks of `SyncReport` and of the parts.
package final class SyncWorker: @unchecked Sendable {
    /// What a gate has for its runs.
    package struct Means {
        /// The configuration in force.
        let configuration: @Sendable () -> GateConfiguration
        /// Site data came into use.
        let applied: @Sendable (TrustPublication, Requester?) -> Void
        /// The site data in use are those that were signed; the mark says when, and the second from when on more would have been signed anew.
        let isCurrent: @Sendable (TrustMark, Int64?) -> Void

        package init(configuration: @escaping @Sendable () -> GateConfiguration,
                     applied: @escaping @Sendable (TrustPublication, Requester?) -> Void,
                     isCurrent: @escaping @Sendable (TrustMark, Int64?) -> Void) {
            self.configuration = configuration
            self.applied = applied
            self.isCurrent = isCurrent
        }
    }

    /// What runs work on.
    package struct Surroundings {
        let trust: TrustStore
        let recorder: Recorder
        let events: EventHub
        let logs: LogOutput

        package init(trust: TrustStore, recorder: Recorder, events: EventHub, logs: LogOutput) {
            self.trust = trust
            self.recorder = recorder
            self.events = events
            self.logs = logs
        }
    }

    /// The longest root that an installer may bring.
    private static let longestRoot = MetadataRun.limits.root

    private let surroundings: Surroundings
    /// Nil until a run could make it: a gate serves also where its disk refuses that.
    private var memory: RepositoryMemory?
    private let bell: SyncBell
    private let means: Means
    private let agent: String
    private let strikes = Monitor(FileStrikes())
    private var diary = SyncDiary()
    private var fetcher: Fetcher?
    /// The settings by which it goes.
    private var known: SyncSettings?

    package init(_ surroundings: Surroundings, bell: SyncBell, version: String, means: Means) {
        self.surroundings = surroundings
        self.bell = bell
        self.means = means
        agent = version.isEmpty ? "tapstile" : "tapstile/\(version)"
    }

    private var log: Log { surroundings.logs.log("sync") }

    /// An operator wants to see for himself: what was refused before is asked for. Every thread may call it.
    package func forgetRefusals() { strikes.withLock { $0 = FileStrikes() } }

    /// Nobody fetches meanwhile.
    package func rest() { fetcher?.rest() }

    /// A run went well. What cannot be written is missing in `status` after the next start, and nothing else.
    package func remember(_ past: SyncPast) {
        let configuration = means.configuration()
        do throws(SystemError) {
            try past.write(directory: configuration.store.directory, site: configuration.site.identifier)
        } catch {
            log.warning("when synchronising went well cannot be remembered: \(error.message)")
        }
    }

    /// Makes one run.
    /// - Parameters:
    ///   - visit: the folder that somebody brought; nil: the server is asked.
    ///   - givesWay: whether another run comes first.
    package func run(_ run: SyncPlan.Run, of visit: FolderVisit?, _ report: Monitor<SyncReport>, givesWay: @escaping @Sendable () -> Bool) -> SyncReport.End {
        let began = MonotonicTime.milliseconds
        surroundings.events.emit(.sync, ["state": "began", Self.name(of: run): .integer(Int64(clamping: run.number)), "cause": .string(run.cause.rawValue)])
        log.debug("\(Self.name(of: run)) \(run.number) begins: \(run.cause.rawValue)")
        var source: RepositorySource?
        var result: SyncRun.Result?
        var failure: SyncFailure?
        do throws(SyncFailure) {
            let made = if run.cause == .folder { try self.source(of: visit, report, givesWay) } else { try self.source(report, givesWay) }
            source = made
            result = try synchronise(made, visit, report)
        } catch {
            failure = error
            // Whatever of this machine it was, somebody may have fixed it by the next run.
            if error.kind == .local { memory = nil }
        }
        let end = SyncReport.End(
            run: run.number, time: surroundings.recorder.clock.now().milliseconds, milliseconds: MonotonicTime.milliseconds - began, requests: source?.requests ?? 0,
            bytes: source?.bytes ?? 0, way: result.flatMap { $0.way == .nothing ? nil : $0.way.word }, failure: failure, isResumed: source?.isResumed ?? false)
        if let result { report.withLock { $0.ends = result.ends } }
        if run.cause == .folder { reportEnd(end, of: visit) } else { reportEnd(end) }
        announce(end, as: Self.name(of: run))
        return end
    }

    /// What the number of a run is called: those of folders are counted apart.
    private static func name(of run: SyncPlan.Run) -> String { run.cause == .folder ? "import" : "run" }

    // One run ------------------------------------------------------------------------------------

    private func source(_ report: Monitor<SyncReport>, _ givesWay: @escaping @Sendable () -> Bool) throws(SyncFailure) -> RepositorySource {
        guard let sync = means.configuration().sync else {
            throw SyncFailure(.local, code: "sync-off", message: "There is no sync.url in the configuration.")
        }
        let setup: FetchSetup
        do throws(FrameError) {
            // The way there is not the gate's to say: `tapstile-net` reads it for itself.
            setup = try FetchSetup(agent: agent)
        } catch {
            throw SyncFailure(.local, code: "sync-failed", message: "The way to the server cannot be said to tapstile-net: \(error.message)")
        }
        let fetcher = fetcher ?? Fetcher(setup, bell: bell) { [means] () throws(SystemError) in
            try FetchConnection(path: means.configuration().sync?.socket ?? sync.socket)
        }
        // Its program has read the settings that were there at its start.
        if let known, known != sync { fetcher.close() }
        known = sync
        self.fetcher = fetcher
        return RepositorySource(RepositoryAddresses(sync), by: fetcher, givesWay: givesWay) { progress in report.withLock { $0.progress = progress } }
    }

    /// The connection serves one run. It is given up with it, and who reads the folder learns by that that he may go.
    private func source(of visit: FolderVisit?, _ report: Monitor<SyncReport>, _ givesWay: @escaping @Sendable () -> Bool) throws(SyncFailure) -> RepositorySource {
        guard let visit else { throw SyncFailure(.local, code: "sync-failed", message: "A folder was to be read, and there is none: a mistake of the program.") }
        do throws(FrameError) {
            let fetcher = Fetcher(try FetchSetup(agent: agent), bell: bell, startsProgram: false) { () throws(SystemError) in try visit.connect() }
            return RepositorySource(.folder, from: .folder, by: fetcher, givesWay: givesWay) { progress in report.withLock { $0.progress = progress } }
        } catch {
            throw SyncFailure(.local, code: "sync-failed", message: error.message)
        }
    }

    private func synchronise(_ source: RepositorySource, _ visit: FolderVisit?, _ report: Monitor<SyncReport>) throws(SyncFailure) -> SyncRun.Result {
        let configuration = means.configuration()
        let staging = StagingFolder(directory: configuration.store.directory, of: visit == nil ? .server : .visit)
        // A folder is read from its beginning: nobody knows whose bytes lie there.
        if visit != nil { staging.discard() }
        defer { if visit != nil { staging.discard() } }
        let run = SyncRun(
            site: configuration.site.identifier, memory: try opened(configuration.store.directory), staging: staging, source: source,
            store: GateSyncStore(trust: surroundings.trust, clock: surroundings.recorder.clock, zones: configuration.keptZones, applied: { [means] in means.applied($0, visit?.requester) }),
            // What was wrong with a stick says nothing of the server's file, though they have one hash.
            strikes: visit == nil ? strikes : Monitor(FileStrikes()), time: RunTime(surroundings.recorder.clock),
            zones: configuration.keptZones, notify: { [self] news in handle(news, report) })
        let result = try run.run(from: try Self.root(configuration.trust.root))
        let timestamp = result.timestamp
        means.isCurrent(TrustMark(repositoryOf: configuration.site.identifier, timestamp: timestamp.version, issuedAt: timestamp.issuedAt,
                                  keys: timestamp.keys), result.renewal)
        return result
    }

    private func opened(_ directory: String) throws(SyncFailure) -> RepositoryMemory {
        if let memory { return memory }
        do throws(StorageError) {
            let opened = try RepositoryMemory(directory: directory)
            memory = opened
            return opened
        } catch {
            throw .memory(error)
        }
    }

    private static func root(_ path: String?) throws(SyncFailure) -> [UInt8] {
        // Read anew at each run, so it is looked at anew: it may not have been there when the configuration was checked.
        if let path, let finding = ConfigurationFile.whoElseMayChange(path: path) {
            throw SyncFailure(.local, code: "trust-anchor-exposed", message: "Others than root may decide whom this gate trusts: \(finding).")
        }
        do throws(SystemError) {
            return try SmallFile.read(path ?? "", limit: longestRoot)
        } catch {
            throw SyncFailure(.local, code: "trust-root-unreadable", message: "The root to begin with (trust.root) cannot be read: \(error.message)")
        }
    }

    private func handle(_ news: SyncNews, _ report: Monitor<SyncReport>) {
        switch news {
        case .versionsLost:
            log.error("trust-versions-lost: the file trust.versions says nothing; the versions of the metadata that are there must do")
            surroundings.recorder.record(.trust, "versions-lost", reason: "trust-versions-lost")
        // Only what was signed offline raises the floor. The timestamp's key is online: its date counts where the machine's clock agrees.
        case .verified(let dates):
            if let floor = dates.floor { surroundings.recorder.clock.note(floor, rootDate: dates.rootDate) }
            surroundings.recorder.clock.saw(dates.timestamp * 1000, signedBy: .timestamp)
        case .timestampAhead(let date): surroundings.recorder.clock.saw(date * 1000, signedBy: .timestamp)
        case .wholeNeeded(let failure): log.notice("\(failure.code): \(failure.message) The whole is fetched.")
        case .siteAhead: log.notice("what the site decides is new and in use; people follow with the whole")
        case .applying: report.change { $0.stage = .applying }
        }
    }

    // What people are told -----------------------------------------------------------------------

    private func reportEnd(_ end: SyncReport.End) {
        for entry in diary.ended(end.failure, at: MonotonicTime.milliseconds) { write(entry, end) }
    }

    /// Somebody stands there: each try is recorded, with who it was, and on the disk before he hears of it.
    private func reportEnd(_ end: SyncReport.End, of visit: FolderVisit?) {
        if let failure = end.failure, failure.kind != .calledOff {
            surroundings.recorder.record(.trust, "refused", reason: failure.code, detail: (visit?.requester?.detail ?? [:]).merging(
                ["origin": .text(SiteDataOrigin.repository.word)]) { own, _ in own })
            log.warning("\(failure.code): \(failure.message) That was a folder that somebody brought. The site data in use stay.")
        }
        surroundings.recorder.journal.settle(milliseconds: JournalTicket.patience)
    }

    private func announce(_ end: SyncReport.End, as name: String) {
        let state = end.failure == nil ? "succeeded" : end.failure == .gaveWay ? "paused" : "failed"
        var fields: JSONObject = [
            "state": .string(state), name: .integer(Int64(clamping: end.run)),
            "requests": .integer(Int64(end.requests)), "bytes": .integer(end.bytes), "milliseconds": .integer(end.milliseconds)]
        if let failure = end.failure {
            if failure != .gaveWay { fields["code"] = .string(failure.code) }
        } else {
            fields["changed"] = .bool(end.way != nil)
        }
        surroundings.events.emit(.sync, fields)
        if end.failure == .gaveWay { log.notice("\(name) \(end.run) makes way for another one after \(end.bytes) bytes, and goes on afterwards") }
        if end.failure == nil { log.debug("\(name) \(end.run) is over: \(end.requests) files, \(end.bytes) bytes") }
    }

    private func write(_ entry: SyncDiary.Entry, _ end: SyncReport.End) {
        switch entry {
        case .refused(let code): surroundings.recorder.record(.trust, "refused", reason: code, detail: ["origin": .text(SiteDataOrigin.repository.word)])
        case .postponed: break
        case .unreachable(let code): surroundings.recorder.record(.trust, "unreachable", reason: code)
        case .reachable:
            surroundings.recorder.record(.trust, "reachable")
            log.notice("the repository can be reached again")
        }
        guard let failure = end.failure, entry != .reachable else { return }
        log.warning("\(failure.code): \(failure.message) The site data in use stay.")
    }
}

extension SyncChoice {
    /// For journal, status and events.
    package var word: String {
        switch self {
        case .nothing: "nothing"
        case .site: "site"
        case .changes: "changes"
        case .whole: "whole"
        }
    }
}
