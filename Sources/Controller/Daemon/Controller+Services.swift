import Configuration
import Service
import Site
import Threads

extension Controller {
    /// Everything that runs, in the order of its start.
    /// - Parameters:
    ///   - withReaders: false where presentations come from the caller (tests, benchmarks).
    ///   - onBreakdown: called when a part that must not end has ended.
    func services(withReaders: Bool, onBreakdown: @escaping @Sendable (Breakdown) -> Void) -> ServiceList {
        var services = [watchdog, siteDataAge, journalKeeping, newSiteData, clockMemory, lines, indicators, lanes, housekeeping]
        services += [plans, walkTests, contacts, control(onBreakdown)]
        if withReaders { services += [readerService, radioService] }
        return ServiceList(services: services + [synchronisation], log: log)
    }

    private var watchdog: GateService {
        GateService("watchdog", start: { () throws(StartError) in try Self.started { () throws(SystemError) in try self.parts.heartbeat.start() } },
                    end: { self.parts.heartbeat.stop() })
    }

    private var siteDataAge: GateService {
        GateService("site data", end: {
            self.endSiteDataAge()
            self.parts.trust.close()
        })
    }

    /// The record says that the gate has stopped: everything else has stopped by then. A gate that did not come as far as to record its start
    /// has not stopped: one that is started again and again would fill its journal.
    private var journalKeeping: GateService {
        GateService("journal", start: { () throws(StartError) in
            self.parts.journalBell.add { [weak self] in self?.reportCollection() }
            self.parts.journalBell.add { [parts = self.parts] in parts.restateWhatWasLost() }
            self.reportCollection()
        }, rest: {
            if self.control.withLock({ $0 }) != nil { self.parts.recorder.record(.service, "stopped") }
        }, end: {
            self.parts.journal.close()
            self.parts.journalBell.silence()
        })
    }

    /// What is being put to use is waited for when nobody can ask for anything any more, and before the journal closes.
    private var newSiteData: GateService {
        GateService("new site data", end: { self.stopSync() })
    }

    /// Before new site data, which may take longer than systemd waits.
    private var clockMemory: GateService {
        GateService("clock", end: { self.parts.housekeeper.saveClock() })
    }

    private var lines: GateService {
        GateService("lines", start: { () throws(StartError) in
            let layout = self.layout.withLock { $0 }
            self.keepLines(layout.configuration)
            guard layout.configuration.usesSimulatedLines else { return }
            self.log.warning("simulated-lines: the configuration asks for simulated lines; no relay of this machine moves")
        }, rest: {
            self.parts.bank.release()
        })
    }

    private var indicators: GateService {
        GateService("indicators", start: { () throws(StartError) in
            for thread in self.layout.withLock({ $0.indicatorThreads }).values { try Self.started { () throws(SystemError) in try thread.start() } }
        }, rest: {
            for thread in self.layout.withLock({ $0.indicatorThreads }).values { thread.stop() }
        })
    }

    /// No relay stays energised from then on.
    private var lanes: GateService {
        GateService("lanes", start: { () throws(StartError) in
            let layout = self.layout.withLock { $0 }
            self.parts.state.passback.adopt(layout.zones)
            for timekeeper in layout.timekeepers.values {
                try Self.started { () throws(SystemError) in try timekeeper.start() }
                self.parts.journalBell.add { timekeeper.laneChanged() }
            }
            for lane in layout.lanes.values { lane.start() }
        }, rest: {
            let layout = self.layout.withLock { $0 }
            for timekeeper in layout.timekeepers.values { timekeeper.stop() }
            for lane in layout.lanes.values { lane.deenergise() }
            self.waitForWalkTests()
        })
    }

    private var housekeeping: GateService {
        GateService("housekeeping", start: { () throws(StartError) in
            let keeper = self.parts.housekeeper
            try Self.started { () throws(SystemError) in try keeper.start() }
            keeper.keep(Array(self.layout.withLock { $0.lanes }.values))
            keeper.regularly { [weak self] in
                self?.keepSiteDataAge()
                self?.reportSiteDataAge()
                self?.reportRoleEnds()
                self?.logKeysInForce()
            }
            keeper.whenClockChanges { [weak self] in self?.reportClock() }
            keeper.regularly { [parts = self.parts] in parts.state.passback.resetWhatIsDue(at: parts.clock.now()) }
            keeper.whenBack { [weak self] in self?.outputsAreBack($0) }
            keeper.whenLooking { [weak self] in self?.endOutputs() }
        }, rest: {
            self.parts.housekeeper.stop()
        })
    }

    /// Before anybody can ask for anything, and before lanes begin: none is open in the first moment that somebody shuts.
    private var plans: GateService {
        GateService("plans", start: { () throws(StartError) in
            try Self.started { () throws(SystemError) in try self.parts.plans.start() }
            self.parts.plans.drive(self.layout.withLock { $0.lanes }.values.map { PlannedLane($0) })
            self.restoreOrders()
            self.restoreOutputs()
            self.parts.housekeeper.regularly { [weak self] in
                self?.endOrdersOfUnknownTime()
                self?.lookAtTimeZone()
            }
        }, rest: {
            self.parts.plans.stop()
        })
    }

    private var walkTests: GateService {
        GateService("walk tests", rest: { self.stopWalkTests() })
    }

    private var contacts: GateService {
        GateService("inputs", start: { () throws(StartError) in
            try self.startInputs()
            self.layout.withLock { $0 }.adoptKeys()
        }, rest: {
            self.inputs.stop()
        })
    }

    /// A slow answer keeps no line waiting: clients are let go at the end.
    private func control(_ onBreakdown: @escaping @Sendable (Breakdown) -> Void) -> GateService {
        GateService("control sockets", start: { () throws(StartError) in
            let layout = self.layout.withLock { $0 }
            try self.startControl(layout.configuration.control, onBreakdown: onBreakdown)
            self.recordStart(with: layout)
        }, end: {
            self.stopControl()
        })
    }

    private var readerService: GateService {
        GateService("readers", start: { () throws(StartError) in try self.startReaders(self.layout.withLock { $0 }) },
                    rest: { self.readers.withLock { $0 }?.stop() })
    }

    private var radioService: GateService {
        GateService("radios", start: { () throws(StartError) in try self.startRadios(self.layout.withLock { $0 }) }, rest: { self.stopRadios() })
    }

    /// What it fetches is given up at once; what it puts to use takes its time (`newSiteData`).
    private var synchronisation: GateService {
        GateService("synchronisation", start: { () throws(StartError) in try self.startSync(self.layout.withLock { $0 }.configuration) },
                    rest: { self.sync.withLock { $0 }?.callOff() })
    }

    private static func started(_ start: () throws(SystemError) -> Void) throws(StartError) {
        do throws(SystemError) {
            try start()
        } catch {
            throw StartError(code: error.code, message: error.message)
        }
    }
}
