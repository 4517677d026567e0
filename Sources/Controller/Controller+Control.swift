import Configuration
import ControlProtocol
import Credentials
import Encoding
import Service
import Storage
import Threads

extension Controller {
    /// From now on `listener` hears every event.
    public func listen(_ listener: @escaping EventHub.Listener) {
        parts.events.add(listener)
    }

    /// How the gate is.
    public var status: JSON {
        let readers = self.readers.withLock { $0 }
        return StatusReport(version: version, layout: layout.withLock { $0 }, parts: parts, readerState: { readers?.state(of: $0) },
                            attached: readers?.attached ?? []).json
    }

    func journalPage(_ query: JournalQuery) throws(ControlError) -> JSON {
        do {
            return try JournalReport.page(query, of: parts.journal)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
    }

    /// Walks along a part of a chain. Taps go on meanwhile.
    func verifyJournal(_ stretch: JournalStretch) throws(ControlError) -> JSON {
        try JournalReport.verification(of: stretch, in: parts.journal)
    }

    /// The evidence of a grant, for somebody who has no access to the gate.
    func proveRecord(_ sequence: UInt64) throws(ControlError) -> JSON {
        try JournalProof.export(sequence, of: parts.journal)
    }

    /// Applies the publication in `file`. Taps go on meanwhile.
    func importPublication(_ file: PassedFile) throws(ControlError) -> JSON {
        try importPublication(descriptor: file.descriptor)
    }

    /// An import gives way to taps and to every other program, so that it may take long on a busy board.
    private static let importing = OutsideCall(
        "an import", .fault(afterMilliseconds: 30 * 60 * 1000), mend: "`systemctl restart tapstiled` ends it; the data in use stay.")

    /// Applies a publication: verified whole, or the data in use stay as they are. Taps come first.
    public func importPublication(descriptor: Int32) throws(ControlError) -> JSON {
        let layout = self.layout.withLock { $0 }
        guard let siteKey = layout.identity.siteKey else { throw refuseImport(layout.identity) }
        let applied: TrustPublication
        do throws(ImportError) {
            applied = try Loop.outside(Self.importing) {
                BackgroundWork.run(name: "import") { [parts] in
                    Result { () throws(ImportError) in
                        try parts.trust.apply(descriptor: descriptor, site: layout.configuration.site.identifier,
                                              siteKey: siteKey, clock: ClockReading(parts.clock.now()))
                    }
                }
            }.get()
        } catch {
            parts.logs.log("trust").warning("\(error.code): \(error.message)")
            record(.trust, "refused", reason: error.code)
            throw ControlError(code: error.code, message: error.message)
        }
        parts.tokens.forget(before: applied.generation)
        parts.clock.raiseFloor(toMilliseconds: applied.issuedAt * 1000)
        record(.trust, "applied", detail: ["version": .unsigned(applied.version)])
        tellSiteDataAge()
        let version = Int64(clamping: applied.version)
        parts.logs.log("trust").notice("publication \(version) applied: \(applied.counts.total) records")
        if let failure = parts.trust.status.floorFailure {
            parts.logs.log("trust").warning("trust-floor-unwritten: publication \(version) is in use, but: \(failure.message)")
        }
        parts.events.emit(.trust, ["state": "applied", "version": .integer(version)])
        return ["version": .integer(version), "records": .integer(Int64(clamping: applied.counts.total)),
                "issued": .string(UTCText.make(milliseconds: applied.issuedAt * 1000))]
    }

    /// Nobody can say whether a publication is the site's.
    private func refuseImport(_ identity: GateIdentity) -> ControlError {
        let why = identity.problem(with: .site)?.message ?? ""
        record(.trust, "refused", reason: "site-key-missing")
        return ControlError(code: "site-key-missing", message: "Without the site's key no publication can be verified. \(why)")
    }

    func startControl(_ settings: ControlSettings, onBreakdown: @escaping @Sendable (Breakdown) -> Void) throws(StartError) {
        let group = ControlGroup.identifier(named: settings.group)
        if group == nil {
            log.warning("group-missing: there is no group \(settings.group); only root may use the control socket")
        }
        let handler = ControlHandler(controller: self, group: group)
        do {
            let server = try ControlServer(
                path: settings.socket, group: group == nil ? nil : settings.group, notices: .ours, loops: parts.heartbeat.loops,
                onFailure: { onBreakdown(.control($0)) },
                handler: { peer, line in handler.handle(peer, line) })
            parts.events.add { server.broadcast($0.line) }
            control.withLock { $0 = server }
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }
}
