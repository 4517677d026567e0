import Credentials
import Gate
import Lanes
import Service
import Site
import SiteRules
import Vocabulary

/// What the site's rules and anti-passback say about somebody whose credential is good: asked by `TapStation` before the lane.
package struct Access: Sendable {
    /// Who wants to pass where.
    package struct Question: Sendable {
        /// Whose credential was proved.
        let holder: Holder
        /// The lane.
        let lane: String
        /// Which way its reader lets people pass.
        let direction: Direction
        /// The time of day.
        let time: WallTime

        /// The same, with how far it is to be believed.
        var clock: ClockReading { time.reading }
        /// What anti-passback knows the person by.
        var person: PersonDigest { PersonDigest(subject: holder.subject) }
    }

    /// Whether a rule of the site lets this person pass here now (V4).
    let byRules: @Sendable (Question) -> AccessJudgement
    /// Whether this person can be on this side of the lane, and there is room on the other (V5). Whoever may pass is awaited.
    let byPassback: @Sendable (Question) -> Admission
    /// The same, and nothing changes: nobody is awaited.
    let byForesight: @Sendable (Question) -> AccessJudgement
    /// No grant came of an admission.
    let withdraw: @Sendable (Admission) -> Void

    /// Nothing is against anybody.
    static let open = Access(byRules: { _ in .allowed }, byPassback: { _ in .open }, withdraw: { _ in })

    /// What the rules of the site and anti-passback say.
    package init(rules: SiteHours, passback: PassbackRegister) {
        self.init(
            byRules: { rules.judge($0) },
            byPassback: { passback.admit($0.person, groups: $0.holder.groups, lane: $0.lane, $0.direction, at: $0.time) },
            byForesight: { passback.foresee($0.person, groups: $0.holder.groups, lane: $0.lane, $0.direction, at: $0.time) },
            withdraw: { passback.withdraw($0) })
    }

    package init(byRules: @escaping @Sendable (Question) -> AccessJudgement, byPassback: @escaping @Sendable (Question) -> Admission,
         byForesight: @escaping @Sendable (Question) -> AccessJudgement = { _ in .allowed },
         withdraw: @escaping @Sendable (Admission) -> Void) {
        self.byRules = byRules
        self.byPassback = byPassback
        self.byForesight = byForesight
        self.withdraw = withdraw
    }

    /// The same for whoever only looks: nobody is awaited.
    package var looking: Access {
        Access(byRules: byRules, byPassback: { [byForesight] in Admission(judgement: byForesight($0)) }, byForesight: byForesight,
               withdraw: { _ in })
    }

    /// What both say: the first refusal, or the notes of both. Who has not shown all that the lane wants is not awaited.
    package func admit(_ question: Question, isVerified: Bool) -> Admission {
        let rules = byRules(question)
        guard case .allowed(let notes) = rules, isVerified else { return Admission(judgement: rules) }
        let admission = byPassback(question)
        guard case .allowed(let more) = admission.judgement else { return admission }
        return Admission(judgement: .allowed(notes: notes + more), ticket: admission.ticket, person: admission.person)
    }
}

extension SiteHours {
    /// Whether a rule of the site lets this person pass here now (V4): by the rules of the publication that has told the person's
    /// groups. Nobody whom two imports have overtaken passes; they tap again.
    package func judge(_ question: Access.Question) -> AccessJudgement {
        // No rule of any publication speaks of somebody without a group.
        guard !question.holder.groups.isEmpty else { return .allowed }
        let generation = question.holder.result.generation
        guard let publication = generation.map({ publication(of: $0) }) ?? current else { return .refused(.outsideSchedule, by: .schedule) }
        switch publication.timetable.judge(groups: question.holder.groups, lane: question.lane, at: SiteMoment(question.clock)) {
        case .free, .allowed: return .allowed
        case .outsideSchedule, .tooManyGroups: return .refused(.outsideSchedule, by: .schedule)
        }
    }
}
