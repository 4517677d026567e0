import Configuration
import Credentials
import Gate
import Lanes
import PhoneProtocol
import Readers
import Service
import Storage
import Tap

/// What one configuration makes of the parts: lanes, and a station for each reader. A value: a
/// reload makes a new one and keeps the lanes.
struct GateLayout: Sendable {
    /// The configuration this was made from.
    let configuration: GateConfiguration
    /// The lanes by name.
    let lanes: [String: LaneRunner]
    /// What tells what has happened on them.
    let reporters: [String: LaneReporter]
    /// What ends what time ends, by lane.
    let timekeepers: [String: Timekeeper]
    /// What plays the indicators, by lane.
    let indicatorThreads: [String: IndicatorThread]
    /// What switches the outputs, by lane.
    let outputs: [String: OutputDesk]
    /// What each reader's presentations need, by the reader's name.
    let stations: [ReaderName: TapStation]
    /// What each radio's presentations need, by the radio's name.
    let radios: [String: RadioStation]
    /// The audits by lane, which outlive a reload: rule 3 holds across it.
    private let audits: [String: TapAudit]
    /// What the readers and radios of each lane are good for.
    let carriers: [String: LaneCarriers]
    /// The keys.
    let identity: GateIdentity

    /// A layout; lanes of `previous` go on with the new rules.
    init(_ configuration: GateConfiguration, parts: GateParts, previous: GateLayout? = nil) throws(StartError) {
        let identity = GateIdentity(configuration)
        if let lost = previous.flatMap({ identity.loss(since: $0.identity) }) {
            throw StartError(code: lost.code, message: lost.message)
        }
        var lanes: [String: LaneRunner] = [:]
        var reporters: [String: LaneReporter] = [:]
        var timekeepers: [String: Timekeeper] = [:]
        var indicatorThreads: [String: IndicatorThread] = [:]
        var outputs: [String: OutputDesk] = [:]
        var stations: [ReaderName: TapStation] = [:]
        var overRadio: [String: [String: TapStation]] = [:]
        var audits: [String: TapAudit] = [:]
        let supplies = configuration.radios.map { EphemeralSupply(conversations: $0.links) }
        let carriers = previous?.carriers
            ?? Dictionary(uniqueKeysWithValues: configuration.lanes.map { ($0.name, LaneCarriers(CarrierPolicy($0.carriers.carriers))) })
        for settings in configuration.lanes {
            let reporter = previous?.reporters[settings.name] ?? LaneReporter(
                lane: settings.name, journal: parts.journal, state: parts.state, clock: parts.clock, events: parts.events,
                log: parts.logs.log("lanes"))
            reporters[settings.name] = reporter
            let lane = previous?.lanes[settings.name] ?? LaneRunner(
                name: settings.name, rules: LaneRules(settings), lines: LaneLines(settings),
                patterns: Patterns(configuration.patterns), bank: parts.bank,
                events: parts.events, log: parts.logs.log("lines"), onFailure: { parts.housekeeper.laneFailed() },
                onWarning: { [lane = settings.name] warning, line in
                    parts.recorder.record(.service, warning.code, lane: lane, detail: ["line": .text(line)])
                },
                onReport: { reporter.report($0) })
            lanes[settings.name] = lane
            let timekeeper = previous?.timekeepers[settings.name] ?? Timekeeper(
                lane: lane, loops: parts.heartbeat.loops, isJournalFailing: { parts.journal.status.failure != nil },
                isJournalFull: { [onFull = configuration.audit.onFull] in onFull == .deny && parts.journal.status.collectionState == .full },
                isJournalDue: { parts.journal.status.collectionState != .inOrder })
            timekeepers[settings.name] = timekeeper
            indicatorThreads[settings.name] = previous?.indicatorThreads[settings.name] ?? IndicatorThread(
                lane: settings.name, indicators: lane.indicators, loops: parts.heartbeat.loops, play: { lane.playIndicators(at: $0) })
            let desk = previous?.outputs[settings.name] ?? OutputDesk(
                settings, bank: parts.bank, state: parts.state, recorder: parts.recorder, events: parts.events, logs: parts.logs)
            outputs[settings.name] = desk
            let assembly = LaneAssembly(
                configuration: configuration, settings: settings, lane: lane, timekeeper: timekeeper,
                audit: previous?.audits[settings.name] ?? TapAudit(lane: settings.name, journal: parts.journal, clock: parts.clock),
                carriers: carriers[settings.name] ?? LaneCarriers(.nfcFirst), outputs: desk, ring: identity.ring, parts: parts)
            audits[settings.name] = assembly.audit
            for reader in configuration.readers(ofLane: settings.name) { stations[reader.name] = try assembly.station(at: reader) }
            for (radio, supply) in zip(configuration.radios, supplies) where radio.lanes.contains(settings.name) {
                overRadio[radio.name, default: [:]][settings.name] = try assembly.station(at: radio, supply)
            }
        }
        self.configuration = configuration
        self.identity = identity
        self.lanes = lanes
        self.reporters = reporters
        self.timekeepers = timekeepers
        self.indicatorThreads = indicatorThreads
        self.outputs = outputs
        self.stations = stations
        self.carriers = carriers
        self.audits = audits
        radios = Dictionary(uniqueKeysWithValues: configuration.radios.map { ($0.name, RadioStation($0, overRadio[$0.name] ?? [:], configuration)) })
    }

    /// The zones between which the lanes lead.
    var zones: [String: LaneZones] {
        Dictionary(uniqueKeysWithValues: configuration.lanes.map { ($0.name, LaneZones(inner: $0.zone, outer: $0.fromZone)) })
    }

    /// Lets the lanes go on with the rules of this layout.
    func adoptRules() {
        let patterns = Patterns(configuration.patterns)
        for settings in configuration.lanes {
            lanes[settings.name]?.adopt(LaneRules(settings))
            lanes[settings.name]?.adopt(patterns)
            let directions = Dictionary(uniqueKeysWithValues: configuration.readers(ofLane: settings.name).map { ($0.name, $0.direction) })
            lanes[settings.name]?.setReaderFaults { carriers[settings.name]?.adopt(CarrierPolicy(settings.carriers.carriers), directions) }
        }
        adoptKeys()
    }

    /// A lane without the key of any method it offers is out of service.
    func adoptKeys() {
        for station in Array(stations.values) + radios.values.flatMap(\.lanes) {
            station.lane.set(.gateKey, standing: !station.isEquipped)
        }
    }
}
