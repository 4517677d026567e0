import Encoding
import SiteRules

/// No input stops the reader of a site's rules, whatever it accepts is written as it was, and what it accepts can be judged at any
/// time: a schedule changes at the instant that is said to be its next change, and not before.
func fuzz(_ input: [UInt8]) {
    guard let items = try? CBOR.decodeSequence(input) else { return }
    var rules = SiteRules()
    for item in items {
        guard let record = try? SiteRecord(cbor: item) else { return }
        precondition(record.cbor == item, "a record has one form")
        guard (try? rules.append(record)) != nil else { return }
    }
    precondition((try? SiteRules(rules.records)) == rules, "rules give their records back")
    let timetable = SiteTimetable(rules, timeZone: .utc)
    let time = Int64(input.count) * 7_654_321
    for schedule in rules.schedules.prefix(4) { hold(schedule.name, timetable, time) }
    for plan in rules.plans.prefix(4) {
        _ = timetable.plan(ofLane: plan.lane, at: .unknown)
        if let next = timetable.nextChange(ofLane: plan.lane, after: time) {
            precondition(timetable.plan(ofLane: plan.lane, at: .known(next)) != timetable.plan(ofLane: plan.lane, at: .known(time)), "a plan's change changes it")
        }
    }
    for rule in rules.rules.prefix(4) { _ = timetable.judge(groups: [rule.group], lane: "north", at: .known(time)) }
    // Weeks of every year are walked through: enough of them in a test of the room.
    if rules.schedules.count < 3, rules.plans.count < 2 { _ = rules.diagnoses }
}

private func hold(_ name: String, _ timetable: SiteTimetable, _ time: Int64) {
    let before = timetable.isInForce(name, at: .known(time), for: .grants)
    precondition(before != nil, "a schedule of the rules is known")
    guard let next = timetable.nextChange(ofSchedule: name, after: time) else { return }
    precondition(next > time, "the next change comes later")
    precondition(timetable.isInForce(name, at: .known(next), for: .grants) != before, "something changes then")
    precondition(timetable.isInForce(name, at: .known(next - 1), for: .grants) == before, "and nothing before")
}
