import Configuration
import ControlProtocol
import Credentials
import Encoding
import Gate
import Lanes
import Service
import Site
import Storage
import Tap
import Threads

extension Controller {
    /// From now on `listener` hears every event.
    public func listen(_ listener: @escaping EventHub.Listener) {
        parts.events.add(listener)
    }

    /// How the gate is.
    public var status: JSON { statusReport.json }

    var statusReport: StatusReport {
        let readers = self.readers.withLock { $0 }
        return StatusReport(version: version, layout: layout.withLock { $0 }, parts: parts,
                            inputs: InputReport(reports: inputs.reports, bank: parts.bank), readerState: { readers?.state(of: $0) },
                            recovery: { readers?.recovery(of: $0) },
                            desks: air.withLock { $0 }?.desks, sync: sync.withLock { $0 }, attached: readers?.attached ?? [])
    }

    /// Other site data are in use: whatever depends on them is told.
    func siteDataApplied(_ applied: TrustPublication, by requester: Requester? = nil) {
        parts.tokens.forget(before: applied.generation)
        parts.recorder.record(.trust, "applied", detail: Self.detail(of: requester).merging(
            ["version": .unsigned(applied.version), "origin": .text(applied.origin.word)]) { own, _ in own })
        reportSiteDataAge()
        followSiteData()
        let version = Int64(clamping: applied.version)
        parts.logs.log("trust").notice("\(applied.origin.word) \(version) applied: \(applied.counts.total) records")
        if let fork = SiteDataFork(applied) {
            parts.logs.log("trust").warning("\(fork.code): \(fork.message)")
            parts.recorder.record(.trust, "forked", reason: fork.code, detail: ["version": .unsigned(applied.version), "from": .unsigned(fork.had)])
        }
        if let failure = parts.trust.status.floorFailure {
            parts.logs.log("trust").warning("trust-floor-unwritten: \(applied.origin.word) \(version) is in use, but: \(failure.message)")
        }
        parts.events.emit(.trust, ["state": "applied", "version": .integer(version), "origin": .string(applied.origin.word)])
    }

    /// A gate that stands alone decides by its own file, and by nothing that somebody brings.
    func refuseImport(atGateWith path: String) -> ControlError {
        parts.recorder.record(.trust, "refused", reason: "gate-stand-alone")
        return ControlError(code: "gate-stand-alone", message: "This gate has its site data from \(path) (trust.site-file): edit that, then sudo tapstile reload. "
            + "To take site data of an authority, set trust.root in its place and restart.")
    }

    func startControl(_ settings: ControlSettings, onBreakdown: @escaping @Sendable (Breakdown) -> Void) throws(StartError) {
        let roles = ControlRoles(settings)
        for name in [settings.group, settings.operatorGroup, settings.observerGroup] where !roles.doors.contains(where: { $0.door.group == name }) {
            log.warning("group-missing: there is no group \(name): its members have no socket; root has")
        }
        let handler = ControlHandler(controller: self, roles: roles)
        do {
            let server = try ControlServer(
                doors: roles.doors.map(\.door), notices: .ours, loops: parts.heartbeat.loops,
                onFailure: { onBreakdown(.control($0)) },
                onEviction: { [log] peer in
                    log.warning("control-client-cut-off: process \(peer.process) of user \(peer.user) took nothing of what waited for it for 30 s")
                },
                handler: { peer, line in handler.handle(peer, line) })
            parts.events.add(while: { server.isHeard }, { server.broadcast($0.line) })
            control.withLock { $0 = server }
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    /// Letting go of the server also ends the circle of references through its handler.
    func stopControl() {
        let server = control.withLock { control in
            defer { control = nil }
            return control
        }
        server?.stop()
    }
}
