import Credentials
import Encoding
import Gate
import Service
import SiteRules
import Tap
import Vocabulary

/// What led to a judgement, in sentences. They tell what was judged by; the judgement itself is not made here.
struct ExplainFacts {
    let foresight: Foresight
    let outlook: LaneOutlook
    let moment: ForeseenMoment
    let context: ExplainContext

    private var station: TapStation { foresight.station }
    private var lane: String { foresight.station.lane.name }
    private var credential: AskedCredential { foresight.credential }

    /// Beginning with what decided.
    func sentences(for decision: Decision) -> [String] {
        switch decision.reason {
        case .granted: [rights] + rules + mode + (decision.notes.contains(.antiPassback) ? inside : [])
        case .revoked: context.revoked.map { RevokedReport(revoked: $0).sentence } + [rights]
        case .notYetValid, .expired, .scopeLacksCommand: [rights]
        case .beyondCeiling: beyond + [rights]
        case .wrongAudience: [rights, "This lane is \(station.identifier.place.audiences.last ?? lane)."]
        case .clockUntrusted: clock
        case .siteDataStale, .noSiteData: [dataAge]
        case .outsideSchedule: rules + clock
        case .secondFactor: ["The lane wants a key that is released only after user verification, and this one was not attested as such."]
        case .commandNotAllowed: commands
        case .uidOnlyCardsOff: ["The lane's setting uid-only-cards is not true."]
        case .laneClosed: mode + (moment.lane.isUnderTest ? ["Somebody walks this lane (tapstile test-lane)."] : [])
        case .laneFault: moment.lane.standingFaults.map { "\($0.code): \($0.message)" }
        case .antiPassback: inside
        case .zoneFull: load
        case .auditUnavailable: [context.parts.journal.status.failure.map { "\($0.code): \($0.message)" } ?? "The journal cannot be written."]
        case .useNFC, .wrongCarrier, .appInBackground, .phoneLocked:
            ["The lane's setting carriers is \(station.carrierRule.policy.rawValue), ble-require \(station.carrierRule.requirement.rawValue)."]
        case .cooldownSuccess, .cooldownFailure, .busy, .malformed, .unknownIssuer, .badSignature, .keyWellKnown, .unknownKey, .wrongKeyUse, .wrongRole, .badProof,
             .readerFault, .timeout, .cardRemoved, .wrongLane, .protocolVersion, .protocolError, .noApplication, .phoneDeclined, .outcomeUnknown,
             .internalError:
            []
        }
    }

    /// What the credential allows.
    private var rights: String {
        if case .unseenToken = credential { return "If the token is valid, for this place and for this command: this gate has not seen it." }
        let places = credential.audiences.isEmpty ? "the whole site" : credential.audiences.joined(separator: ", ")
        let (from, to) = credential.validity
        let time = [from.map { "from \(UTCText.make(seconds: $0))" }, to.map { "until \(UTCText.make(seconds: $0))" }].compactMap(\.self)
        return "The \(credential.kind) counts for \(places), for \(credential.scope.joined(separator: ", ")), "
            + (time.isEmpty ? "without an end." : time.joined(separator: " ") + ".")
    }

    /// What of the token its issuer may not say.
    private var beyond: [String] {
        guard let excess = foresight.holder(at: moment).excess, let issuer = credential.answer.issuer else { return [] }
        return ["The site's [[issuer]] '\(issuer.name)' does not allow it: \(excess.words)."]
    }

    /// What the site's rules say of the person here.
    private var rules: [String] {
        let subject = credential.subject, groups = foresight.holder(at: moment).groups, timetable = context.hours.timetable
        switch timetable.judge(groups: groups, lane: lane, at: SiteMoment(moment.time.reading)) {
        case .free:
            return [groups.isEmpty ? "No rule of the site binds \(subject)." : "\(subject) is in \(list(groups)); no rule binds these."]
        case .allowed(let group):
            return ["Group \(group), to which \(subject) belongs, may pass \(lane)" + (schedule(of: group).map { " during \($0)" } ?? " at all times") + "."]
        case .outsideSchedule:
            let here = timetable.rules.rules.filter { groups.contains($0.group) && $0.covers(lane: lane) }
            guard !here.isEmpty else { return ["\(subject) is in \(list(groups)), and no rule lets these pass \(lane): in no group for this lane."] }
            return ["\(subject) may pass \(lane) by " + here.map { "\($0.group) during \($0.schedule ?? "?")" }.joined(separator: ", ") + ", not in force then."]
        case .tooManyGroups:
            return ["too-many-groups: \(subject) is in more than \(Membership.mostOfOne) groups, and nobody who is passes any lane."]
        }
    }

    /// The schedule of a group's rule that lets it pass here then; nil: it needs none.
    private func schedule(of group: String) -> String? {
        let timetable = context.hours.timetable, time = SiteMoment(moment.time.reading)
        let rules = timetable.rules.rules.filter { $0.group == group && $0.covers(lane: lane) }
        guard rules.allSatisfy({ $0.schedule != nil }) else { return nil }
        return rules.compactMap(\.schedule).first { timetable.isInForce($0, at: time, for: .grants) == true }
    }

    /// Whose mode is in force, where it is none that the installer left.
    private var mode: [String] {
        let mode = moment.lane.mode
        guard mode.source != .standard else { return [] }
        var words = ["The lane is \(mode.mode.rawValue), by \(mode.source.rawValue)"]
        if mode.source == .schedule, let plan = context.hours.timetable.state(ofLane: lane, at: moment.time.reading) {
            if let schedule = plan.schedule { words.append("(\(schedule))") }
            if plan.isGuess { words.append("as the strictest of several, for nobody knows which is in force") }
        }
        if let order = context.order(ofLane: lane, mode.source) {
            if let requester = order.requester { words.append("(user \(requester.user))") }
            words.append("since \(UTCText.make(milliseconds: order.since))")
            words.append(order.until.map { "until \(UTCText.make(milliseconds: $0))" } ?? "until another is asked for")
        }
        return [words.joined(separator: " ") + "."]
    }

    private var commands: [String] {
        let name = foresight.request.command, known = context.commands(ofLane: lane)
        if let command = known.first(where: { $0.name == name }) {
            if let schedule = command.schedule, station.schedules.isInForce(schedule, moment.time.reading, .grants) != true {
                return ["The lane runs \(name) during \(schedule) only."]
            }
            return ["The lane runs \(name) only where a person may start it, and not at \(station.reader)."]
        }
        return ["The lane runs \(list(known.map(\.name))), and not \(name)."]
    }

    private var inside: [String] {
        guard let zone = context.zone(foresight) else { return [] }
        let since = context.inside(credential.subject, zone: zone).map {
            "\(credential.subject) is in \(zone) since \(UTCText.make(milliseconds: $0.since))" + ($0.isSure ? "" : ", and may have left unseen") + "."
        }
        return since.isEmpty ? ["\(credential.subject) has just been let into \(zone)."] : since + ["tapstile passback reset --subject counts somebody as gone."]
    }

    private var load: [String] {
        guard let zone = context.zone(foresight),
              let load = context.parts.state.passback.zones.first(where: { $0.zone == zone }) else { return [] }
        return ["\(load.present) of \(load.policy.capacity ?? 0) are in \(zone)."]
    }

    /// Why nobody can say what time it is at the site.
    private var clock: [String] {
        let time = moment.time
        return [time.doubt.map { "\($0.code): \($0.message)" }, time.jump.map { "\($0.code): \($0.message)" },
                context.hours.problem.map { "\($0.code): \($0.message)" }].compactMap(\.self)
    }

    private var dataAge: String {
        guard let issued = credential.answer.publicationIssuedAt else {
            guard case .absent(let absence) = context.parts.trust.status.state else { return "This gate has no site data." }
            return "\(absence.code): \(absence.message)"
        }
        let days = station.identifier.policy.tokensRefusedAfter / 86_400
        return "The site data are as of \(UTCText.make(seconds: issued)), the gate has served \(credential.answer.servedSeconds / 3600) hours since it verified "
            + "newer ones; tokens are refused after \(days) days. See tapstile sync --wait."
    }

    private func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
