import Configuration
import Credentials
import Gate
import Lanes
import Readers
import Service
import Site
import Storage
import Tap
import Threads

/// What a judgement is explained by, beside what the judgement itself asks.
struct ExplainContext: Sendable {
    let parts: GateParts
    let layout: GateLayout
    /// The rules of the site, and what is wrong with its zone.
    let hours: SiteHours.Publication
    /// Which revocations of the credential are in force.
    let revoked: [TrustSearch.Revoked]
    /// Why a reader serves nobody at this moment; nil: it does, or none is looked for.
    let readerOutage: @Sendable (ReaderName) -> (code: String, message: String)?
    /// The radios at this moment; nil where there are none.
    let desks: RadioDesks?

    /// Why a reader or radio serves nobody; nil: it does, or this gate drives none.
    func outage(_ name: String, _ carrier: Carrier) -> (code: String, message: String)? {
        switch carrier {
        case .nfc: readerOutage(name)
        case .ble: desks?.standing(of: name)?.state.flatMap { $0.isInService ? nil : ($0.code, $0.message) }
        }
    }

    /// What a lane was asked to be, by an operator or a phone, whoever has the say.
    func order(ofLane lane: String, _ source: ModeSource) -> LaneOrder? {
        switch source {
        case .operator: parts.state.order(ofLane: lane)
        case .phone: parts.state.order(ofLane: GateState.phones(ofLane: lane))
        case .standard, .schedule, .input: nil
        }
    }

    // When something may turn out otherwise --------------------------------------------------------

    /// The times that are known, UNIX seconds, rounded up: by then it is so.
    func times(_ foresight: Foresight, at moment: ForeseenMoment) -> [Int64] {
        let validity = foresight.credential.validity, lane = foresight.station.lane.name
        let orders = [ModeSource.operator, .phone].compactMap { order(ofLane: lane, $0)?.until }
        return [validity.from, validity.to, foresight.credential.ceiling?.until].compactMap(\.self) + dataAge(foresight) + orders.map { ($0 + 999).quotientFloor(1000) }
            + passback(foresight, at: moment)
    }

    /// When the site data are too old for tokens, should no newer ones come.
    private func dataAge(_ foresight: Foresight) -> [Int64] {
        guard foresight.credential.isToken, let issued = foresight.credential.answer.publicationIssuedAt else { return [] }
        let limit = foresight.station.identifier.policy.tokensRefusedAfter
        let now = parts.clock.now().seconds, served = foresight.credential.answer.servedSeconds
        return [issued.addingReportingOverflow(limit), (now - served).addingReportingOverflow(limit)].compactMap { sum, overflow in
            overflow ? nil : sum + 1
        }
    }

    /// When a wait is over, and the next daily reset.
    private func passback(_ foresight: Foresight, at moment: ForeseenMoment) -> [Int64] {
        guard let zone = zone(foresight) else { return [] }
        var times: [Int64] = []
        if case .timed(let wait) = parts.state.passback.policy(zone).mode {
            times += inside(foresight.credential.subject, zone: zone).map { ($0.since + wait + 999).quotientFloor(1000) }
        }
        let day: Int64 = 86_400
        for days in Int64(1)...2 {
            if let reset = hours.timetable.lastReset(ofZone: zone, at: .known(moment.time.seconds + days * day)) { times.append(reset) }
        }
        return times
    }

    /// The schedules that it depends on.
    func schedules(_ foresight: Foresight, at moment: ForeseenMoment) -> Set<String> {
        let lane = foresight.station.lane.name, groups = foresight.holder(at: moment).groups, rules = hours.timetable.rules
        var names = Set(rules.rules.filter { groups.contains($0.group) && $0.covers(lane: lane) }.compactMap(\.schedule))
        names.formUnion(rules.plans.filter { $0.lane == lane }.flatMap(\.entries).compactMap(\.schedule))
        names.formUnion(commands(ofLane: lane).filter { $0.name == foresight.request.command }.compactMap(\.schedule))
        if case .scheduled(let name) = foresight.station.secondFactor { names.insert(name) }
        if let name = foresight.credential.ceiling?.schedule { names.insert(name) }
        return names
    }

    // What is known --------------------------------------------------------------------------------

    /// The commands of a lane.
    func commands(ofLane lane: String) -> [LaneCommand] {
        layout.configuration.lanes.first { $0.name == lane }.map { LaneCommand.list($0) } ?? []
    }

    /// What a passage at that reader leads into; nil: outside, or a command that lets nobody through.
    func zone(_ foresight: Foresight) -> String? {
        let lane = foresight.station.lane.name, zones = layout.zones[lane]
        let action = commands(ofLane: lane).first { $0.name == foresight.request.command }?.action ?? .pass
        guard action.isPassage else { return nil }
        return Crossing(action.direction(atReader: foresight.station.direction), zone: zones?.inner, outer: zones?.outer).to
    }

    /// Since when a person is in a zone.
    func inside(_ subject: String, zone: String?) -> [(person: PersonDigest, zone: String, since: Int64, isSure: Bool)] {
        parts.state.passback.people(PersonDigest(subject: subject), zone: zone)
    }
}
