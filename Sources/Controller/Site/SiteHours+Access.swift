import Gate
import SiteRules

extension SiteHours {
    /// Whether a rule of the site lets this person pass here now (V4): by the rules of the publication that has told the person's
    /// groups. Nobody whom two imports have overtaken passes; they tap again.
    func judge(_ question: Access.Question) -> AccessJudgement {
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
