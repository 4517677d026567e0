import Credentials
import Gate
import Service
import Storage
import Threads
import Vocabulary

/// Anti-passback at work: the pure machine of the room `Gate`, the site's rules for zones, and the zones between which lanes lead.
/// Any thread may call; nothing here waits. What changes is answered as effects, which belong into the record that tells it.
///
/// `passback` is held while a change is recorded, so that the journal has changes in their order; the locks of journal and `GateState` come after it.
/// `rules`, `lanes` and `open` guard one value each, and are let go of before.
package final class PassbackRegister: Sendable {
    private let passback: Mutex<Passback>
    private let rules: Mutex<ZoneRules>
    private let lanes = Mutex<[String: LaneZones]>([:])
    /// The lanes that stand open.
    private let open = Mutex<Set<String>>([])
    private let onReset: @Sendable (_ zone: String, [StateEffect]) -> Void

    /// A register that knows what a journal's records have led to.
    /// - Parameter onReset: told when the daily reset of a zone has come, with what it changes. Must not wait.
    package init(_ state: JournalState, rules: ZoneRules = .none, onReset: @escaping @Sendable (_ zone: String, [StateEffect]) -> Void = { _, _ in }) {
        self.onReset = onReset
        var passback = Passback()
        passback.restore(state.passback)
        self.passback = Mutex(passback)
        self.rules = Mutex(rules)
    }

    /// From now on these rules hold.
    package func adopt(_ rules: ZoneRules) { self.rules.withLock { $0 = rules } }

    /// From now on the lanes lead between these zones.
    package func adopt(_ lanes: [String: LaneZones]) { self.lanes.withLock { $0 = lanes } }

    // Taps -----------------------------------------------------------------------------------------

    /// Whether somebody may pass. Whoever may is awaited until `passed`, `notPassed` or `withdraw`.
    /// - Parameters:
    ///   - person: asked for only where the lane leads between zones.
    ///   - groups: those of the person.
    package func admit(_ person: @autoclosure () -> PersonDigest, groups: [String], lane: String, _ direction: Direction, at clock: WallTime) -> Admission {
        let outer = crossing(lane, direction).from
        switch way(lane, direction) {
        case .betweenNoZones: return .open
        case .unkept:
            let person = person()
            return passback.withLock {
                $0.admit(person, into: nil, from: outer, isWayOut: direction == .out, policy: .none, isExempt: false,
                         at: clock.milliseconds)
            }
        case .into(let zone, let rules, let policy):
            reset(zone, rules, at: clock)
            let person = person()
            return passback.withLock {
                $0.admit(person, into: zone, from: outer, isWayOut: direction == .out, policy: policy,
                         isExempt: rules.isExempt(groups, in: zone), at: clock.milliseconds)
            }
        }
    }

    /// Whether somebody may pass, as `admit` would say; nothing changes, and nobody is awaited.
    package func foresee(_ person: PersonDigest, groups: [String], lane: String, _ direction: Direction, at clock: WallTime) -> AccessJudgement {
        switch way(lane, direction) {
        case .betweenNoZones, .unkept: return .allowed
        case .into(let zone, let rules, let policy):
            // A copy: what takes long does not keep taps waiting.
            return passback.withLock { $0 }.foresee(
                person, into: zone, isWayOut: direction == .out, policy: policy, isExempt: rules.isExempt(groups, in: zone),
                reset: rules.lastReset(zone, clock.reading), at: clock.milliseconds)
        }
    }

    /// Where a lane leads, as far as anti-passback is concerned.
    private enum Way {
        /// It has no zone on either side.
        case betweenNoZones
        /// Nobody is kept count of where it leads.
        case unkept
        /// Into a zone with rules.
        case into(String, ZoneRules, ZonePolicy)
    }

    private func way(_ lane: String, _ direction: Direction) -> Way {
        guard let zones = lanes.withLock({ $0[lane] }), zones.inner != nil || zones.outer != nil else { return .betweenNoZones }
        guard let zone = Crossing(direction, zone: zones.inner, outer: zones.outer).to else { return .unkept }
        let rules = rules.withLock { $0 }
        let policy = rules.policy(zone)
        return policy.isKept ? .into(zone, rules, isOpen(zone) ? policy.whileOpen : policy) : .unkept
    }

    /// From now on the lane stands open, or does not.
    func setOpen(_ isOpen: Bool, lane: String) {
        open.withLock { open in
            if isOpen { open.insert(lane) } else { open.remove(lane) }
        }
    }

    /// Whether a way of the zone stands open: whoever comes in may leave unseen.
    private func isOpen(_ zone: String) -> Bool {
        let open = open.withLock { $0 }
        guard !open.isEmpty else { return false }
        return lanes.withLock { $0 }.contains { open.contains($0.key) && ($0.value.inner == zone || $0.value.outer == zone) }
    }

    /// No grant came of it.
    package func withdraw(_ admission: Admission) {
        guard admission.ticket != 0 else { return }
        passback.withLock { $0.withdraw(admission.ticket) }
    }

    /// The person of a grant has passed.
    /// - Parameter record: writes it down, with what it changes. Called once, before anybody else changes anything, so that what is
    ///   written is in the order in which it happened; it must not wait.
    func passed(_ grant: GrantIdentity, lane: String, _ direction: Direction, at clock: WallTime, record: ([StateEffect]) -> Void) {
        guard let person = PersonDigest(bytes: grant.person) else { return record([]) }
        let crossing = crossing(lane, direction)
        let rules = rules.withLock { $0 }
        let doubtful = crossing.to.flatMap { isOpen($0) ? $0 : nil }
        passback.withLock { passback in
            var changes = passback.passed(person, through: crossing, ticket: grant.ticket, at: clock.milliseconds) { rules.policy($0).isKept }
            // Beyond doubt when no way stands open any more: by the next passage, and not by the gate's being there at its end.
            if let doubtful { changes += passback.doubt(doubtful) }
            record(changes.map { StateEffect($0) })
        }
    }

    /// The person of a grant has not passed.
    func notPassed(_ grant: GrantIdentity) {
        passback.withLock { $0.withdraw(grant.ticket) }
    }

    private func crossing(_ lane: String, _ direction: Direction) -> Crossing {
        let zones = lanes.withLock { $0[lane] }
        return Crossing(direction, zone: zones?.inner, outer: zones?.outer)
    }

    // Zones ----------------------------------------------------------------------------------------

    /// A lane stands open, or has stood open until now: who is on either side of it may have left unseen.
    /// - Parameter record: as of `passed`.
    func doubt(aroundLane lane: String, record: ([StateEffect]) -> Void) {
        let zones = lanes.withLock { $0[lane] }
        passback.withLock { passback in
            record([zones?.inner, zones?.outer].compactMap(\.self).flatMap { passback.doubt($0) }.map { StateEffect($0) })
        }
    }

    /// Looks whether the daily reset of a zone has come. Taps do so too, so that it is not late for anybody.
    package func resetWhatIsDue(at clock: WallTime) {
        let rules = rules.withLock { $0 }
        for zone in rules.zones() { reset(zone, rules, at: clock) }
    }

    private func reset(_ zone: String, _ rules: ZoneRules, at clock: WallTime) {
        guard let time = rules.lastReset(zone, clock.reading) else { return }
        passback.withLock { passback in
            let changes = passback.reset(zone, before: time, at: clock.milliseconds)
            if !changes.isEmpty { onReset(zone, changes.map { StateEffect($0) }) }
        }
    }

    /// People count as gone, as an operator wants it.
    /// - Parameter record: as of `passed`; told how many did, too.
    package func reset<Answer: Sendable>(_ person: PersonDigest?, zone: String?, at clock: WallTime,
                                 record: (_ count: Int, [StateEffect]) -> Answer) -> Answer {
        passback.withLock { passback in
            let before = passback.count
            let changes: [PassbackChange]
            if let person {
                changes = passback.forget(person, in: zone)
            } else {
                changes = passback.knownZones.filter { zone == nil || $0 == zone }.flatMap { passback.empty($0, at: clock.milliseconds) }
            }
            return record(before - passback.count, changes.map { StateEffect($0) })
        }
    }

    // Looking --------------------------------------------------------------------------------------

    /// States all of it anew, before anybody changes anything.
    package func restate(_ record: ([StateEffect]) -> Void) {
        passback.withLock { record($0.snapshot.map { StateEffect($0) }) }
    }

    /// What the site has decided about a zone.
    package func policy(_ zone: String) -> ZonePolicy { rules.withLock { $0 }.policy(zone) }

    /// The zones there are to tell of: those with rules, and those in which somebody is known.
    package var zones: [(zone: String, policy: ZonePolicy, present: Int, doubtful: Int)] {
        let rules = rules.withLock { $0 }
        let known = passback.withLock { $0 }
        return Set(rules.zones() + known.knownZones).sorted().map { zone in
            let load = known.load(of: zone)
            return (zone, rules.policy(zone), load.present, load.doubtful)
        }
    }

    /// People who are in a zone, the first who came in first: one zone or all, one person or all.
    package func people(_ person: PersonDigest?, zone: String?) -> [(person: PersonDigest, zone: String, since: Int64, isSure: Bool)] {
        let known = passback.withLock { $0 }
        return known.knownZones.filter { zone == nil || $0 == zone }.flatMap { name in
            known.people(in: name).filter { person == nil || $0.person == person }.map { ($0.person, name, $0.since, $0.isSure) }
        }
    }
}
