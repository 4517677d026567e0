import ControlProtocol
import Credentials
import Encoding
import Gate
import Readers
import Service
import SiteRules
import Storage
import Tap
import Threads

extension Controller {
    /// Looking through a million people takes its time on a slow disk.
    private static let explaining = OutsideCall("an explanation", .fault(afterMilliseconds: 60_000))

    /// Whether somebody would be let through, by which rule and until when, or why not: judged by the rules of a tap. Nothing changes.
    func explain(_ query: ExplainQuery) throws(ControlError) -> JSON {
        try Loop.outside(Self.explaining) { () throws(ControlError) in try explained(query) }
    }

    private func explained(_ asked: ExplainQuery) throws(ControlError) -> JSON {
        let query = try moment(of: asked)
        let layout = self.layout.withLock { $0 }
        let stations = layout.stations(ofLane: query.lane)
        if let lane = query.lane, layout.lanes[lane] == nil { throw .laneUnknown(lane, known: layout.configuration.lanes.map(\.name)) }
        guard let ask = stations.first?.identifier.ask else {
            throw ControlError(code: "lane-unknown", message: "No reader and no radio of this gate serves that lane.")
        }
        let finding: PersonFinding
        do throws(StorageError) {
            finding = try PersonFinding(query.who, parts, zones: layout.configuration.keptZones?.sorted(), ask)
        } catch {
            throw ControlError(code: error.code, message: error.message)
        }
        return ExplainReport(query: query, finding: finding, layout: layout, parts: parts, stations: stations,
                             readerOutage: { [readers = readers.withLock { $0 }] in readers?.outage(of: $0) },
                             desks: air.withLock { $0 }?.desks).json
    }
}

extension Controller {
    /// A question by the site's clock, asked about the moment at which that shows the time: the first of them.
    private func moment(of query: ExplainQuery) throws(ControlError) -> ExplainQuery {
        guard let text = query.siteTime else { return query }
        let hours = parts.hours.current
        guard let zone = hours.timetable.timeZone else {
            throw ControlError(code: "site-time-unknown", message: hours.problem?.message ?? "The site has no time zone: ask with UTC, or with an offset from it.")
        }
        let day: Int64 = 86_400
        let moment: Int64 = switch GivenTime(text) {
        case .clock(let time)?: zone.instant(ofClock: time)
        case .timeOfDay(let time)?: zone.instant(ofClock: zone.clock(at: parts.clock.now().seconds).quotientFloor(day) * day + time)
        case .instant(let time)?: time.quotientFloor(1000)
        case nil: .min
        }
        guard ExplainQuery.moments.contains(moment) else {
            throw ControlError(code: "request-malformed", message: "`siteTime` is no time such as 2026-01-31T18:03 or 18:03.")
        }
        return query.about(moment)
    }
}

extension GateLayout {
    /// The readers and radios of a lane, or of all, in the order of the configuration.
    fileprivate func stations(ofLane lane: String?) -> [TapStation] {
        configuration.lanes.filter { lane == nil || $0.name == lane }.flatMap { settings in
            configuration.readers(ofLane: settings.name).compactMap { stations[$0.name] }
                + configuration.radios.flatMap { radios[$0.name]?.lanes.filter { $0.lane.name == settings.name } ?? [] }
        }
    }
}

extension GateReaders {
    /// Why a reader serves nobody; nil: it does.
    fileprivate func outage(of name: ReaderName) -> (code: String, message: String)? {
        guard let state = state(of: name) else { return ("reader-starting", "The reader is being looked for.") }
        return state.isInService ? nil : (state.code, state.message)
    }
}
