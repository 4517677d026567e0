import Credentials
import Encoding
import Gate
import Service
import SiteRules
import Storage

/// What the gate says of one credential at one reader or radio of a lane, and for how long.
struct Explanation {
    let foresight: Foresight
    let outlook: LaneOutlook
    let moment: ForeseenMoment
    let context: ExplainContext
    /// What a tap would come to.
    let decision: Decision
    /// When that ends, and what a tap would come to from then on.
    let turn: TurningPoints.Turn?

    /// - Parameter seconds: the UNIX second that is asked about; nil: now.
    init(_ foresight: Foresight, _ outlook: LaneOutlook, at seconds: Int64?, _ context: ExplainContext) {
        self.foresight = foresight
        self.outlook = outlook
        self.context = context
        moment = seconds.map { outlook.moment(at: $0) } ?? outlook.present
        let decision = foresight.decision(at: moment)
        self.decision = decision
        // What a moment's wait fixes says itself how long.
        let isMomentary = decision.retryAfter != nil || decision.reason == .busy
        turn = isMomentary ? nil : Self.turn(of: decision, foresight, outlook, moment, context)
    }

    private static func turn(of decision: Decision, _ foresight: Foresight, _ outlook: LaneOutlook, _ moment: ForeseenMoment,
                             _ context: ExplainContext) -> TurningPoints.Turn? {
        let points = TurningPoints(fixed: context.times(foresight, at: moment), schedules: context.schedules(foresight, at: moment),
                                   after: moment.time.seconds, timetable: outlook.timetable)
        return points.first(isGranted: !decision.isGranted) { foresight.decision(at: outlook.moment(at: $0)) }
    }

    /// Why nobody is served there at all; nil: somebody is.
    private var outage: (code: String, message: String)? { context.outage(foresight.station.reader, foresight.carrier) }

    /// What a person would live to see: where no reader listens nobody is let through.
    private var outcome: Decision {
        decision.isGranted && outage != nil ? Gatekeeper.decide(.unproven(.readerFault), on: .clear, at: moment.instant) : decision
    }

    /// One plain sentence.
    private var sentence: String {
        let credential = foresight.credential
        let place = "\(foresight.station.lane.name) (\(foresight.station.reader), \(foresight.carrier.rawValue), \(foresight.station.direction.rawValue))"
        let time = moment.ahead == 0 && moment.time == outlook.now ? "now" : "at \(outlook.timetable.shown(moment.time.seconds))"
        let verb = outcome.isGranted ? "would pass" : "would not pass"
        // Nobody shall read of somebody who is let in where nothing lets anybody in.
        guard !(credential.isImagined && outcome.isGranted) else { return "If \(credential.subject) has a valid token, it would open \(place) \(time)\(ending)" }
        let what = outcome.isGranted ? "" : ": \(Self.words(for: outcome.reason))"
        return "\(credential.subject) \(verb) at \(place) \(time) with \(credential.called)\(what)\(ending)"
    }

    private var ending: String {
        if let retryAfter = decision.retryAfter { return " In \(retryAfter) ms again." }
        guard let turn else { return outcome.isGranted ? "." : "" }
        let time = outlook.timetable.shown(turn.time)
        guard outcome.isGranted else { return turn.decision.isGranted ? " From \(time) on: granted." : "" }
        return ", until \(time). Then: \(Self.words(for: turn.decision.reason))"
    }

    private static func words(for reason: Reason) -> String { "\(reason.sentence) (\(reason.rawValue))" }

    /// What a tap would come to. Of a token that nobody here knows it can be said that it would not open; that it would is to be seen.
    private var result: String { outcome.isGranted ? foresight.credential.isImagined ? "unknown" : "granted" : "denied" }

    /// For programs, and for whoever prints it.
    var json: JSON {
        let decision = outcome
        var fields: JSONObject = [
            "lane": .string(foresight.station.lane.name), "at": .string(foresight.station.reader), "carrier": .string(foresight.carrier.rawValue),
            "direction": .string(foresight.station.direction.rawValue), "result": .string(result),
            "reason": .string(decision.reason.rawValue), "rule": .string(decision.rule.rawValue), "sentence": .string(sentence),
            "because": .array(because.map { .string($0) })]
        if !decision.notes.isEmpty { fields["notes"] = .array(decision.notes.map { .string($0.rawValue) }) }
        fields["retryAfter"] = decision.retryAfter.map { .integer($0) }
        fields["until"] = turn.map { .string(UTCText.make(seconds: $0.time)) }
        fields["then"] = turn.map { .string($0.decision.reason.rawValue) }
        fields["words"] = words(decision.reason)
        return .object(fields)
    }

    /// What the site has people be shown for it.
    private func words(_ reason: Reason) -> JSON? {
        let words = foresight.station.messages(reason)
        return words.isEmpty ? nil : .object(JSONObject(words.map { ($0.key, .string($0.value)) }))
    }

    /// What led to it.
    private var because: [String] {
        let facts = ExplainFacts(foresight: foresight, outlook: outlook, moment: moment, context: context)
        return facts.sentences(for: decision) + (outage.map { ["\(foresight.station.reader): \($0.code): \($0.message)"] } ?? [])
    }
}

/// The times at which a judgement may turn out otherwise. Whether it does is for the judgement to say.
struct TurningPoints {
    /// So many are tried at the most: a year of schedules that open and close twice a day.
    private static let most = 1500
    /// Beyond it nobody plans.
    private static let horizon: Int64 = 366 * 86_400

    /// A time, and what is decided from then on.
    struct Turn {
        let time: Int64
        let decision: Decision
    }

    private let timetable: SiteTimetable
    private let start: Int64
    private var fixed: [Int64]
    private var coming: [String: Int64] = [:]

    /// - Parameters:
    ///   - fixed: times that are known, UNIX seconds.
    ///   - schedules: what else depends on.
    ///   - start: only what comes later is wanted.
    init(fixed: [Int64], schedules: Set<String>, after start: Int64, timetable: SiteTimetable) {
        self.timetable = timetable
        self.start = start
        self.fixed = fixed.filter { $0 > start }.sorted(by: >)
        for name in schedules { coming[name] = timetable.nextChange(ofSchedule: name, after: start) }
    }

    /// The first of them at which somebody is granted, or is not.
    func first(isGranted: Bool, _ decide: (Int64) -> Decision) -> Turn? {
        var points = self
        for _ in 0..<Self.most {
            guard let time = points.next(), time - start <= Self.horizon else { return nil }
            let decision = decide(time)
            if decision.isGranted == isGranted { return Turn(time: time, decision: decision) }
        }
        return nil
    }

    private mutating func next() -> Int64? {
        guard let time = ([fixed.last].compactMap(\.self) + coming.values).min() else { return nil }
        while fixed.last == time { fixed.removeLast() }
        for (name, change) in coming where change == time { coming[name] = timetable.nextChange(ofSchedule: name, after: time) }
        return time
    }
}
