import Configuration
import ControlProtocol
import Credentials
import Encoding
import Lanes
import Readers
import Service
import Site
import Storage
import Sync
import Tap
import Threads

/// What `status` answers: how the gate is, and what is missing with the remedy (T13).
struct StatusReport: Sendable {
    /// The version of this build.
    let version: String
    /// The layout in force.
    let layout: GateLayout
    /// The parts that last.
    let parts: GateParts
    /// The contacts at this moment.
    let inputs: InputReport
    /// The state of a reader at this moment.
    let readerState: @Sendable (ReaderName) -> ReaderState?
    /// How often which step was taken to bring a reader back; nil where there are none.
    let recovery: @Sendable (ReaderName) -> RecoveryCounts?
    /// The radios at this moment; nil where there are none.
    let desks: RadioDesks?
    /// The thread that synchronises; nil where nothing is fetched.
    let sync: SyncThread?
    /// Every reader that is plugged in, bound or not, for whoever writes a binding.
    let attached: [AttachedReader]

    /// The report as JSON.
    var json: JSON {
        let configuration = layout.configuration
        return [
            "version": .string(version),
            "site": .string(configuration.site.identifier),
            "gate": .string(configuration.gate.identifier),
            "simulatedLines": .bool(configuration.usesSimulatedLines),
            "lanes": .array(configuration.lanes.map(lane)),
            "readers": .array(configuration.readers.map(reader)),
            "attached": .array(attached.map(device)),
            "radios": .array(configuration.radios.map(radio)),
            "bluetooth": .array((desks?.findings ?? []).map { ["code": .string($0.code), "message": .string($0.message)] }),
            "keys": .array(layout.identity.problems.map(key)),
            "gateKeys": KeyReport(layout.identity.ring, parts.clock).json,
            "trust": trust,
            "sync": sync?.json(at: parts.clock.now().milliseconds, floor: parts.clock.floorMilliseconds) ?? ["state": "off"],
            "siteRules": siteRules,
            "journal": journal,
            "clock": clock,
            "delays": .array(parts.heartbeat.delays.map { ["loop": .string($0.loop), "code": .string($0.code), "message": .string($0.message)] })
        ]
    }

    private func lane(_ settings: LaneSettings) -> JSON {
        let name = settings.name
        guard let snapshot = layout.lanes[name]?.snapshot else { return ["name": .string(name)] }
        var faults: [JSON] = snapshot.faults.map { ["code": .string($0.code), "message": .string($0.message)] }
        faults += snapshot.lineFailures.sorted { $0.key < $1.key }.map { line, error in
            ["code": .string(error.code), "message": .string("Line \(line): \(error.message)")]
        }
        faults += inputs.faults(of: name)
        for line in snapshot.stuckOn.reversed() {
            let message = "Line \(line): \(LaneWarning.stuckOn.message)"
            faults.insert(["code": .string(LaneWarning.stuckOn.code), "message": .string(message)], at: 0)
        }
        var warnings: [JSON] = snapshot.unsafeLines.map { line in
            ["code": .string(LaneWarning.levelUnsafe.code), "message": .string("Line \(line): \(LaneWarning.levelUnsafe.message)")]
        }
        warnings += inputs.warnings(of: name)
        warnings += LaneWarning.all(settings, parts.schedules, at: parts.clock.now().reading).map {
            ["code": .string($0.code), "message": .string($0.message)]
        }
        if layout.lanes[name]?.isUnderTest == true {
            warnings.append(["code": "lane-under-test", "message": "Somebody walks this lane (`test-lane`): nobody is let through until that ends."])
        }
        if let warning = planWarning(lane: name) { warnings.append(warning) }
        return ["name": .string(name), "plan": plan(ofLane: name), "indicator": .string(snapshot.indicator.rawValue), "relay": .bool(snapshot.relay),
                "state": .string(snapshot.state.code), "mode": mode(of: name, snapshot), "armed": .bool(snapshot.isArmed),
                "uidOnlyCards": .bool(settings.uidOnlyCards), "commands": .array(commands(of: settings)),
                "outputs": .array(settings.lineOutputs.map { output(of: name, $0) }),
                "inputs": .array(inputs.states(of: name)), "faults": .array(faults), "warnings": .array(warnings)]
    }

    /// How the lane of that name is; nil if there is none.
    func lane(named name: String) -> JSON? {
        layout.configuration.lanes.first { $0.name == name }.map { lane($0) }
    }

    /// The mode, whose it is, and what an operator asked for.
    private func mode(of lane: String, _ snapshot: LaneSnapshot) -> JSON {
        var fields: JSONObject = ["mode": .string(snapshot.mode.rawValue), "source": .string(snapshot.modeSource.rawValue)]
        let slot: String? = switch snapshot.modeSource {
        case .operator: lane
        case .phone: GateState.phones(ofLane: lane)
        case .standard, .schedule, .input: nil
        }
        guard let order = slot.flatMap({ parts.state.order(ofLane: $0) }) else { return .object(fields) }
        fields["direction"] = order.direction.map { .string($0.rawValue) }
        fields["since"] = .string(UTCText.make(milliseconds: order.since))
        fields["until"] = order.until.map { .string(UTCText.make(milliseconds: $0)) }
        fields["user"] = order.requester.map { .integer(Int64($0.user)) }
        fields["process"] = order.requester.map { .integer(Int64($0.process)) }
        return .object(fields)
    }

    private func reader(_ settings: ReaderSettings) -> JSON {
        let state = readerState(settings.name)
        var fields: JSONObject = [
            "name": .string(settings.name), "lane": .string(settings.lane), "type": .string(settings.device.type.rawValue),
            "inService": .bool(state?.isInService ?? false), "state": .string(state?.code ?? "reader-starting"),
            "message": .string(state?.message ?? "The reader is being looked for.")]
        if let counts = recovery(settings.name) { fields["recovery"] = steps(counts) }
        if settings.reset.line != nil, let fault = parts.bank.faults[settings.resetLine] {
            fields["resetLine"] = ["code": .string(fault.code), "message": .string(fault.message)]
        }
        return .object(fields)
    }

    private func steps(_ counts: RecoveryCounts) -> JSON {
        var fields: JSONObject = [:]
        for rung in RecoveryRung.allCases { fields[rung.rawValue] = .integer(Int64(clamping: counts[rung])) }
        return .object(fields)
    }

    private func radio(_ settings: RadioSettings) -> JSON {
        let standing = desks?.standing(of: settings.name)
        return ["name": .string(settings.name), "lanes": .array(settings.lanes.map { .string($0) }),
                "inService": .bool(standing?.state?.isInService ?? false), "links": .integer(Int64(standing?.links ?? 0)),
                "state": .string(standing?.state?.code ?? "radio-starting"),
                "message": .string(standing?.state?.message ?? "The radio is being looked for.")]
    }

    private func key(_ problem: KeyProblem) -> JSON {
        ["key": .string(problem.purpose.rawValue), "path": .string(problem.path), "code": .string(problem.code),
         "message": .string(problem.message)]
    }

    private func device(_ reader: AttachedReader) -> JSON {
        var fields: JSONObject = ["name": .string(reader.pcscName)]
        fields["serial"] = reader.serial.map { .string($0) }
        fields["port"] = reader.port.map { .string($0) }
        return .object(fields)
    }

    private var trust: JSON {
        let status = parts.trust.status
        var fields: JSONObject = [:]
        switch status.state {
        case .ready(let publication):
            fields = ["state": "ready", "origin": .string(publication.origin.word), "version": .integer(Int64(clamping: publication.version)),
                      "issued": .string(UTCText.make(milliseconds: publication.issuedAt * 1000)),
                      "applied": publication.appliedAt.map { .string(UTCText.make(milliseconds: $0 * 1000)) } ?? .null,
                      "generation": .integer(Int64(clamping: publication.generation)),
                      "issuers": .integer(Int64(clamping: publication.counts.issuers)),
                      "enrolled": .integer(Int64(clamping: publication.counts.enrolled)),
                      "revocations": .integer(Int64(clamping: publication.counts.revocations)),
                      "rules": .integer(Int64(clamping: publication.counts.rules)),
                      "memberships": .integer(Int64(clamping: publication.counts.memberships)),
                      "uidOnlyCards": .integer(Int64(clamping: publication.counts.uidOnlyCards))]
            fields["epoch"] = publication.repository.map { .integer(Int64(clamping: $0.epoch)) }
            fields["digest"] = .string(Hex.encode(publication.bodyHash))
            fields["fork"] = SiteDataFork(publication).map { fork -> JSON in ["code": .string(fork.code), "message": .string(fork.message)] }
        case .absent(let error):
            fields = ["state": "absent", "code": .string(error.code), "message": .string(error.message)]
        }
        if let problem = parts.siteFile.problem {
            fields["siteFile"] = ["code": .string(problem.code), "message": .string(problem.message)]
        }
        fields["zones"] = zones(status.publication)
        fields["knownTokens"] = .integer(Int64(parts.tokens.load.count))
        if let failure = status.floorFailure {
            fields["failure"] = ["code": "trust-floor-unwritten", "message": .string(failure.message)]
        }
        if let setAside = status.setAside { fields["setAside"] = .string(setAside) }
        let now = parts.clock.now().seconds, served = parts.age.served(at: MonotonicTime.milliseconds) / 1000
        let issued = status.publication.map(parts.age.issued)
        if let issued, status.publication?.origin != .siteFile {
            fields["age"] = ["wall": .integer(max(0, now - issued)), "service": .integer(served)]
            let end = SiteDataAge.tokensUntil(issued: issued, now: now, served: served, layout.configuration.trust)
            fields["tokensUntil"] = .string(UTCText.make(seconds: end))
        }
        let age = SiteDataAge(of: status.publication, issued: issued, now: now, renewal: status.publication.flatMap(parts.age.renewal), served: served,
                              layout.configuration.trust)
        if let code = age.code { fields["warning"] = ["code": .string(code), "message": .string(age.message)] }
        return .object(fields)
    }

    /// Whose people are there; nil: everybody is, and should be.
    private func zones(_ publication: TrustPublication?) -> JSON? {
        guard let publication, let facts = publication.repository, facts.zones != nil || layout.configuration.keptZones != nil else { return nil }
        let isOutdated = !layout.configuration.zonesAgree(with: publication)
        var fields: JSONObject = isOutdated ? ["code": "trust-zones-outdated"] : [:]
        fields["kept"] = facts.zones.map { .array($0.sorted().map { .string($0) }) }
        if isOutdated {
            fields["message"] = .string("The site data were taken for other zones than this gate has now. Until the next run has succeeded people may be missing, "
                + "who are refused, or more be kept than need be: sudo tapstile sync --wait")
        }
        return .object(fields)
    }

    private var journal: JSON {
        let status = parts.journal.status
        var fields: JSONObject = [
            "sequence": .integer(Int64(clamping: status.head.sequence)), "head": .string(Hex.encode(status.head.hash)),
            "records": .integer(Int64(status.count)), "waiting": .integer(Int64(status.waiting)),
            "lost": .integer(Int64(status.lost)), "auditKey": parts.auditKeys.json]
        if layout.configuration.audit.collect != .none { fields["collection"] = collection(status) }
        if let aside = status.setAside {
            fields["setAside"] = ["code": "journal-set-aside", "message": .string(aside.sentence)]
        }
        if let failure = status.failure {
            fields["failure"] = ["code": .string(failure.code), "message": .string(failure.message)]
        }
        return .object(fields)
    }

    private func collection(_ status: JournalStatus) -> JSON {
        var fields: JSONObject = [
            "through": .integer(Int64(clamping: status.collection.through)), "uncollected": .integer(Int64(clamping: status.uncollected)),
            "overwritten": .integer(Int64(clamping: status.collection.overwritten))]
        if let code = status.collectionState.code {
            fields["warning"] = ["code": .string(code), "message": .string(status.collectionState.sentence)]
        }
        return .object(fields)
    }

    private var clock: JSON {
        let now = parts.clock.now()
        var fields: JSONObject = [
            "time": .string(UTCText.make(milliseconds: now.milliseconds)), "trust": .string(now.trust.word),
            "floor": .string(UTCText.make(milliseconds: parts.clock.floorMilliseconds)), "confirmed": .bool(now.isConfirmed)]
        switch now.trust {
        case .synchronised, .untrusted: break
        case .holdover(let age): fields["age"] = .integer(age)
        }
        if let doubt = now.doubt {
            fields["code"] = .string(doubt.code)
            fields["message"] = .string(doubt.message)
        }
        if let jump = now.jump {
            fields["machine"] = .string(UTCText.make(milliseconds: jump.machine))
            fields["code"] = .string(jump.code)
            fields["message"] = .string(jump.message)
        }
        return .object(fields)
    }
}
