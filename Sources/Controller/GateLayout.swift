import Configuration
import Conversations
import Credentials
import Gate
import Readers
import Storage

/// What one configuration makes of the parts: lanes, and a station for each reader. A value: a
/// reload makes a new one and keeps the lanes.
struct GateLayout: Sendable {
    /// The configuration this was made from.
    let configuration: GateConfiguration
    /// The lanes by name.
    let lanes: [String: LaneRunner]
    /// What ends what time ends, by lane.
    let timekeepers: [String: Timekeeper]
    /// What each reader's presentations need, by the reader's name.
    let stations: [ReaderName: TapStation]
    /// What is wrong with the readers of each lane.
    let readerFaults: [String: ReaderFaults]
    /// The keys.
    let identity: GateIdentity

    /// A layout; lanes of `previous` go on with the new rules.
    init(_ configuration: GateConfiguration, parts: GateParts, previous: GateLayout? = nil) throws(StartError) {
        let identity = GateIdentity(configuration)
        if let lost = previous.flatMap({ identity.loss(since: $0.identity) }) {
            throw StartError(code: lost.code, message: lost.message)
        }
        var lanes: [String: LaneRunner] = [:]
        var timekeepers: [String: Timekeeper] = [:]
        var stations: [ReaderName: TapStation] = [:]
        for settings in configuration.lanes {
            let lane = previous?.lanes[settings.name] ?? LaneRunner(
                name: settings.name, rules: LaneRules(settings), lines: LaneLines(settings), bank: parts.bank,
                events: parts.events, log: parts.logs.log("lines"), onFailure: { parts.housekeeper.laneFailed() },
                onWarning: { [lane = settings.name] warning, line in
                    parts.record(.service, warning.code, lane: lane, detail: ["line": .text(line)])
                })
            lanes[settings.name] = lane
            let timekeeper = previous?.timekeepers[settings.name] ?? Timekeeper(
                lane: lane, loops: parts.heartbeat.loops, isJournalFailing: { parts.journal.status.failure != nil })
            timekeepers[settings.name] = timekeeper
            let offer = try GateOffer(settings, gate: configuration.gate.identifier)
            let audit = previous?.audits[settings.name] ?? TapAudit(lane: settings.name, journal: parts.journal, clock: parts.clock)
            for reader in configuration.readers(ofLane: settings.name) {
                stations[reader.name] = TapStation(
                    reader: reader.name, lane: lane, offer: offer, ring: identity.ring,
                    identifier: Identifier(configuration, lane: settings, trust: parts.trust, tokens: parts.tokens, log: parts.logs.log("trust")),
                    tokens: parts.tokens, deadline: Int64(reader.presentationDeadlineMilliseconds), audit: audit,
                    auditRules: AuditRules(configuration.audit, lane: settings),
                    secondFactor: SecondFactorRule(settings), schedules: parts.schedules, ephemerals: EphemeralSupply(),
                    generation: { parts.trust.generation }, clock: parts.clock, timekeeper: timekeeper,
                    events: parts.events, log: parts.logs.log("conversations"), decisionLog: parts.logs.log("gate"))
            }
        }
        self.configuration = configuration
        self.identity = identity
        self.lanes = lanes
        self.timekeepers = timekeepers
        self.stations = stations
        readerFaults = previous?.readerFaults ?? lanes.mapValues { _ in ReaderFaults() }
    }

    /// The audits by lane, which outlive a reload: rule 3 holds across it.
    private var audits: [String: TapAudit] {
        Dictionary(stations.values.map { ($0.lane.name, $0.audit) }) { first, _ in first }
    }

    /// Lets the lanes go on with the rules of this layout.
    func adoptRules() {
        for settings in configuration.lanes { lanes[settings.name]?.adopt(LaneRules(settings)) }
        adoptKeys()
    }

    /// A lane without the key of any method it offers is out of service.
    func adoptKeys() {
        for station in stations.values { station.lane.set(.gateKey, standing: !station.isEquipped) }
    }
}
