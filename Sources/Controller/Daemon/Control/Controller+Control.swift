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

    /// Applies the publication in `file`. Taps go on meanwhile.
    func importPublication(_ file: PassedFile, by requester: Requester) throws(ControlError) -> JSON {
        try importPublication(descriptor: file.descriptor, by: requester)
    }

    /// Applies a publication: verified whole, or the data in use stay as they are. Taps come first.
    /// - Parameter requester: who asked over the control socket.
    public func importPublication(descriptor: Int32, by requester: Requester? = nil) throws(ControlError) -> JSON {
        let layout = self.layout.withLock { $0 }
        if let path = layout.configuration.trust.siteFile { throw refuseImport(atGateWith: path) }
        if layout.configuration.trust.root != nil { throw refuseImport() }
        guard let siteKey = layout.identity.siteKey else { throw refuseImport(layout.identity) }
        let applied: TrustPublication
        do throws(ImportError) {
            applied = try SiteDataImport.run("import") { [parts] () throws(ImportError) in
                try parts.trust.apply(descriptor: descriptor, site: layout.configuration.site.identifier,
                                      siteKey: siteKey, clock: parts.clock.now().reading)
            }
        } catch {
            parts.logs.log("trust").warning("\(error.code): \(error.message)")
            record(.trust, "refused", reason: error.code, detail: Self.detail(of: requester))
            throw ControlError(code: error.code, message: error.message)
        }
        parts.clock.note(SignedFloor(.publication, version: Int64(clamping: applied.version), date: applied.issuedAt * 1000))
        parts.clock.saw(applied.issuedAt * 1000, signedBy: .publication)
        siteDataApplied(applied, by: requester)
        return ["version": .integer(Int64(clamping: applied.version)), "records": .integer(Int64(clamping: applied.counts.total)),
                "issued": .string(UTCText.make(milliseconds: applied.issuedAt * 1000))]
    }

    /// Other site data are in use: whatever depends on them is told.
    func siteDataApplied(_ applied: TrustPublication, by requester: Requester? = nil) {
        parts.tokens.forget(before: applied.generation)
        record(.trust, "applied", detail: Self.detail(of: requester).merging(
            ["version": .unsigned(applied.version), "origin": .text(applied.origin.word)]) { own, _ in own })
        siteDataVerified(TrustMark(applied, by: layout.withLock { $0 }.identity.siteKey))
        followSiteData()
        let version = Int64(clamping: applied.version)
        parts.logs.log("trust").notice("\(applied.origin.word) \(version) applied: \(applied.counts.total) records")
        if let fork = SiteDataFork(applied) {
            parts.logs.log("trust").warning("\(fork.code): \(fork.message)")
            record(.trust, "forked", reason: fork.code, detail: ["version": .unsigned(applied.version), "from": .unsigned(fork.had)])
        }
        if let failure = parts.trust.status.floorFailure {
            parts.logs.log("trust").warning("trust-floor-unwritten: \(applied.origin.word) \(version) is in use, but: \(failure.message)")
        }
        parts.events.emit(.trust, ["state": "applied", "version": .integer(version), "origin": .string(applied.origin.word)])
    }

    /// A gate that stands alone decides by its own file, and by nothing that somebody brings.
    func refuseImport(atGateWith path: String) -> ControlError {
        record(.trust, "refused", reason: "gate-stand-alone")
        return ControlError(code: "gate-stand-alone", message: "This gate has its site data from \(path) (trust.site-file): edit that, then sudo tapstile reload. "
            + "To take publications of an authority, set trust.site-key in its place and restart.")
    }

    /// One that synchronises believes the roles of its repository and nobody else.
    private func refuseImport() -> ControlError {
        record(.trust, "refused", reason: "gate-synchronises")
        return ControlError(code: "gate-synchronises", message: "This gate has its site data from a repository (trust.root) and takes no single file: "
            + "tapstile sync --wait fetches what is new, and tapstile import takes a folder with a copy of the repository.")
    }

    /// Nobody can say whether a publication is the site's.
    private func refuseImport(_ identity: GateIdentity) -> ControlError {
        let why = identity.problem(with: .site)?.message ?? ""
        record(.trust, "refused", reason: "site-key-missing")
        return ControlError(code: "site-key-missing", message: "Without the site's key no publication can be verified. \(why)")
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
