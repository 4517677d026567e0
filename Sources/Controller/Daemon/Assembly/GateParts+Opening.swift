import AuditJournal
import Configuration
import Credentials
import Encoding
import Lanes
import Lines
import Service
import Site
import Storage
import Tap
import Threads

extension GateParts {
    /// Opens the journal, the site data and the clock of a configuration.
    init(_ configuration: GateConfiguration, bank: any LineBank, logs: LogOutput, loops: Loops, outlet: Heartbeat.Outlet) throws(StartError) {
        let clockBell = Bell()
        let clock = SystemClock(directory: configuration.store.directory, policy: ClockPolicy(configuration.clock),
                                onTrustChange: { [log = logs.log("clock")] in
                                    Self.report($0, log: log)
                                    clockBell.ring()
                                })
        for complaint in clock.complaints { logs.log("clock").warning(complaint) }
        let bell = Bell()
        let auditKey = Self.auditKey(of: configuration)
        let (journal, recovery) = try Self.openJournal(
            configuration, signer: Self.signer(of: configuration, auditKey, clock: clock), clock: clock, log: logs.log("journal"), bell: bell,
            loops: loops)
        let auditKeys = AuditKeys(auditKey, announcedIn: journal, isNew: recovery.isNew, at: JournalTime(clock), log: logs.log("journal"))
        let trust: TrustStore, age: TrustAge
        do {
            age = try TrustAge(directory: configuration.store.directory, at: MonotonicTime.milliseconds)
            trust = try TrustStore.open(directory: configuration.store.directory, site: configuration.site.identifier,
                                        origin: SiteDataOrigin(configuration.trust.source))
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        Self.report(trust, isStandAlone: configuration.trust.siteFile != nil, clock: clock, log: logs.log("trust"))
        let state = Self.state(recovery, journal, clock: clock)
        let hours = SiteHours(trust, log: logs.log("trust"))
        let plans = try Self.plans(hours, clock: clock, log: logs.log("gate"), loops: loops)
        // The plans ask the clock, too: one of the two must not hold the other.
        clockBell.add { [weak plans] in plans?.look() }
        let housekeeper = Housekeeper(bank: bank, clock: clock, log: logs.log("clock"), loops: loops)
        clockBell.add { [weak housekeeper] in housekeeper?.clockChanged() }
        housekeeper.whenLooking { GateParts.recordSteps(of: clock, in: journal) }
        state.passback.adopt(ZoneRules(hours))
        self.init(bank: bank, journal: journal, auditKeys: auditKeys, journalBell: bell, trust: trust, age: age, siteFile: SiteFileState(),
                  tokens: KnownTokens(capacity: configuration.trust.tokenCache), hours: hours, schedules: Schedules(hours), plans: plans,
                  access: Access(rules: hours, passback: state.passback),
                  state: state, clock: clock,
                  heartbeat: Heartbeat(loops: loops, outlet: outlet, log: logs.log("service")),
                  housekeeper: housekeeper, events: EventHub(clock: clock), logs: logs)
    }

    private static func plans(_ hours: SiteHours, clock: SystemClock, log: Log, loops: Loops) throws(StartError) -> PlanRunner {
        do throws(SystemError) {
            return try PlanRunner(hours: hours, now: { clock.now().reading }, log: log, loops: loops)
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    /// The time for a journal record.
    var journalTime: JournalTime { JournalTime(clock) }

    private static func auditKey(of configuration: GateConfiguration) -> Result<AuditKey, AuditKeyProblem> {
        Result { () throws(AuditKeyProblem) in try AuditKey(directory: configuration.store.directory) }
    }

    private static func signer(of configuration: GateConfiguration, _ key: Result<AuditKey, AuditKeyProblem>, clock: SystemClock) -> CheckpointSigner? {
        (try? key.get()).map {
            CheckpointSigner(key: $0.key, site: configuration.site.identifier, gate: configuration.gate.identifier, clock: clock)
        }
    }

    private static func openJournal(_ configuration: GateConfiguration, signer: CheckpointSigner?, clock: SystemClock, log: Log,
                                    bell: Bell, loops: Loops) throws(StartError) -> (Journal, JournalRecovery) {
        let boot = (try? Hex.decode(SystemClock.bootIdentifier.filter { $0 != "-" })) ?? []
        do {
            let (journal, recovery) = try Journal.open(
                directory: configuration.store.directory, boot: boot,
                settings: JournalSettings(configuration.audit),
                loops: loops, time: { JournalTime(clock) }, checkpoint: signer?.sign, onIncident: { incident in
                    report(incident, log: log)
                    bell.ring()
                })
            report(recovery, log: log)
            return (journal, recovery)
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    /// That somebody set the machine's clock.
    private static func recordSteps(of clock: SystemClock, in journal: Journal) {
        for step in clock.drainSteps() {
            _ = journal.append(JournalEntry(
                kind: .service, time: JournalTime(clock), reason: "clock-set",
                detail: ["what": "clock-set", "from": .text(UTCText.make(milliseconds: step.from)), "to": .text(UTCText.make(milliseconds: step.to))]))
        }
    }

    /// What the records have led to. What was lost of it is stated anew, so that it is told once.
    private static func state(_ recovery: JournalRecovery, _ journal: Journal, clock: SystemClock) -> GateState {
        let passback = PassbackRegister(recovery.state) { zone, effects in
            _ = journal.append(JournalEntry(kind: .service, time: JournalTime(clock), reason: "passback-reset",
                                            detail: ["zone": .text(zone), "by": "schedule"], effects: effects))
        }
        let state = GateState(recovery.state, passback: passback)
        state.remember(journal.status)
        if recovery.isStateForgotten {
            state.restate {
                _ = journal.append(JournalEntry(kind: .service, time: JournalTime(clock), reason: "state-forgotten", effects: $0))
            }
        }
        return state
    }

    private static func report(_ time: WallTime, log: Log) {
        if let jump = time.jump {
            log.error("\(jump.code): \(jump.message)")
        } else if let doubt = time.doubt {
            log.warning("\(doubt.code): \(doubt.message)")
        } else {
            let limit = time.isConfirmed ? "" : "; nobody has confirmed it since the machine started, so that it opens nothing by itself"
            log.notice("the clock is trusted: \(UTCText.make(milliseconds: time.milliseconds)), \(time.trust.word)\(limit)")
        }
    }

    /// What opening the journal had to fix is said loudly.
    private static func report(_ recovery: JournalRecovery, log: Log) {
        if recovery.closedAttempts > 0 {
            log.warning("attempts-closed: \(recovery.closedAttempts) attempts had no outcome and are closed as outcome-unknown")
        }
        if let schema = recovery.upgradedFrom {
            log.notice("journal-upgraded: the journal had schema \(schema), written by an older version, and is up to date")
        }
        if let aside = recovery.setAside { report(aside, log: log) }
        if recovery.isStateForgotten {
            log.error("state-forgotten: the gate does not know any more who is inside, nor what operators had asked of its lanes")
        }
        if let head = recovery.missingAfter {
            log.error("journal-cut: records were known up to \(head.sequence) and are missing now")
        }
    }

    private static func report(_ incident: JournalIncident, log: Log) {
        switch incident {
        case .upgrading(let schema):
            log.notice("journal-upgrading: the journal has schema \(schema), written by an older version, and is being brought up to date")
        case .failing(let error): log.error("\(error.code): the journal cannot be written: \(error.message)")
        case .recovered: log.notice("journal-recovered: the journal is written again")
        case .setAside(let aside): report(aside, log: log)
        case .abandoned(let count):
            log.error("journal-abandoned: the disk does not answer; the gate stops, and \(count) records may not be on it")
        case .collection(let state): report(state, log: log)
        case .lost(let count): log.error("journal-lost: \(count) records were refused while the disk failed")
        }
    }

    private static func report(_ state: JournalCollectionState, log: Log) {
        switch state {
        case .inOrder: log.notice("journal-collected: there is room again for what happens")
        case .due, .full: log.warning("\(state.code ?? ""): \(state.sentence)")
        }
    }

    private static func report(_ aside: JournalSetAside, log: Log) {
        log.error("journal-set-aside: \(aside.sentence) The chain goes on in a new file.")
    }

    private static func report(_ trust: TrustStore, isStandAlone: Bool, clock: SystemClock, log: Log) {
        let status = trust.status
        // What a repository's roles say is in the clock's own memory.
        if let floor = status.clockFloor, status.publication?.origin != .repository {
            clock.note(SignedFloor(.publication, version: Int64(clamping: status.clockFloorVersion ?? 0), date: floor * 1000))
        }
        if let aside = status.setAside { log.error("trust-set-aside: the site data were damaged and are kept as \(aside)") }
        switch status.state {
        case .ready(let publication): log.notice("\(publication.origin.word) \(publication.version) of site \(publication.site) in use")
        // A gate that stands alone reads its file next, and says what came of it.
        case .absent(let error): if !isStandAlone { log.warning("\(error.code): \(error.message)") }
        }
    }
}
