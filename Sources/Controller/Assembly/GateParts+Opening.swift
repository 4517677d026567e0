import Configuration
import Credentials
import Encoding
import Lines
import Service
import Storage
import Threads

extension GateParts {
    /// Opens the journal, the site data and the clock of a configuration.
    init(_ configuration: GateConfiguration, bank: any LineBank, logs: LogOutput, loops: Loops, outlet: Heartbeat.Outlet) throws(StartError) {
        let clock = SystemClock(directory: configuration.store.directory, policy: ClockPolicy(configuration.clock),
                                onTrustChange: { [log = logs.log("clock")] in Self.tell($0, log: log) })
        for complaint in clock.complaints { logs.log("clock").warning(complaint) }
        let bell = JournalBell()
        let journal = try Self.openJournal(configuration, clock: clock, log: logs.log("journal"), bell: bell, loops: loops)
        let trust: TrustStore
        do {
            trust = try TrustStore.open(directory: configuration.store.directory, site: configuration.site.identifier)
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
        Self.tell(trust, clock: clock, log: logs.log("trust"))
        self.init(bank: bank, journal: journal, journalBell: bell, trust: trust,
                  tokens: KnownTokens(capacity: configuration.trust.tokenCache), schedules: .none, clock: clock,
                  heartbeat: Heartbeat(loops: loops, outlet: outlet, log: logs.log("service")),
                  housekeeper: Housekeeper(bank: bank, clock: clock, log: logs.log("clock"), loops: loops), events: EventHub(clock: clock), logs: logs)
    }

    /// The time for a journal record.
    var journalTime: JournalTime { JournalTime(clock) }

    private static func openJournal(_ configuration: GateConfiguration, clock: SystemClock, log: Log,
                                    bell: JournalBell, loops: Loops) throws(StartError) -> Journal {
        let boot = (try? Hex.decode(SystemClock.bootIdentifier.filter { $0 != "-" })) ?? []
        do {
            let (journal, recovery) = try Journal.open(
                directory: configuration.store.directory, boot: boot,
                settings: JournalSettings(maximumRecords: configuration.audit.maximumRecords),
                loops: loops, time: { JournalTime(clock) }, onIncident: { incident in
                    tell(incident, log: log)
                    bell.ring()
                })
            tell(recovery, log: log)
            return journal
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }

    private static func tell(_ time: WallTime, log: Log) {
        if let doubt = time.trust.doubt {
            log.warning("\(doubt.code): \(doubt.message)")
        } else {
            log.notice("the clock is trusted: \(UTCText.make(milliseconds: time.milliseconds)), \(time.trust.word)")
        }
    }

    /// What opening the journal had to mend is said loudly.
    private static func tell(_ recovery: JournalRecovery, log: Log) {
        if recovery.closedAttempts > 0 {
            log.warning("attempts-closed: \(recovery.closedAttempts) attempts had no outcome and are closed as outcome-unknown")
        }
        if let schema = recovery.upgradedFrom {
            log.notice("journal-upgraded: the journal had schema \(schema), written by an older version, and is up to date")
        }
        if let aside = recovery.setAside { tell(aside, log: log) }
        if let head = recovery.missingAfter {
            log.error("journal-cut: records were known up to \(head.sequence) and are missing now")
        }
    }

    private static func tell(_ incident: JournalIncident, log: Log) {
        switch incident {
        case .upgrading(let schema):
            log.notice("journal-upgrading: the journal has schema \(schema), written by an older version, and is being brought up to date")
        case .failing(let error): log.error("\(error.code): the journal cannot be written: \(error.message)")
        case .recovered: log.notice("journal-recovered: the journal is written again")
        case .setAside(let aside): tell(aside, log: log)
        case .abandoned(let count):
            log.error("journal-abandoned: the disk does not answer; the gate stops, and \(count) records may not be on it")
        case .lost(let count): log.error("journal-lost: \(count) records were refused while the disk failed")
        }
    }

    private static func tell(_ aside: JournalSetAside, log: Log) {
        log.error("journal-set-aside: \(aside.sentence) The chain goes on in a new file.")
    }

    private static func tell(_ trust: TrustStore, clock: SystemClock, log: Log) {
        let status = trust.status
        if let floor = status.clockFloor { clock.raiseFloor(toMilliseconds: floor * 1000) }
        if let aside = status.setAside { log.error("trust-set-aside: the site data were damaged and are kept as \(aside)") }
        switch status.state {
        case .ready(let publication): log.notice("publication \(publication.version) of site \(publication.site) in use")
        case .absent(let error): log.warning("\(error.code): \(error.message)")
        }
    }
}

extension JournalTime {
    /// Now.
    init(_ clock: SystemClock) {
        self.init(clock.now())
    }

    /// That reading of the clock, taken just now.
    init(_ now: WallTime) {
        self.init(wallMilliseconds: now.milliseconds, trust: ClockTrust(now.trust),
                  monotonicMilliseconds: MonotonicTime.milliseconds)
    }
}
