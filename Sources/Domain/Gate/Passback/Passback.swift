import Credentials

/// Anti-passback (V5): who is in which zone, over all lanes of a gate, and what follows for whoever wants to pass.
///
/// - A person is in a zone from the passage into it to the passage out of it. What was granted and not passed leaves no trace; until
///   that is known it counts as a passage, so that of two phones of one person only one is let through.
/// - What is refused is going in. A way out is never refused.
/// - Persons are known by `PersonDigest`: whoever has two phones is one person.
///
/// Pure: the time of day (UNIX milliseconds) and the zones' policies arrive as values.
public struct Passback: Equatable, Sendable {
    /// How many people are kept in mind, in all zones together. Beyond that the one who came first is forgotten. A person takes 24
    /// bytes, and the table up to as much again: 3.1 MiB at the most.
    public static let mostPeople = 98_304

    private var zones: [String: ZoneOccupancy] = [:]
    private var pending: [PendingPassage] = []
    private var lastTicket: UInt64 = 0
    private let limit: Int

    /// Nobody is anywhere.
    /// - Parameter limit: how many people are kept in mind.
    public init(limit: Int = Passback.mostPeople) {
        self.limit = max(1, limit)
    }

    // Asking ---------------------------------------------------------------------------------------

    /// Whether the person may go into the zone. One who may is awaited until `passed` or `withdraw`.
    /// - Parameters:
    ///   - zone: what the passage leads into; nil is outside.
    ///   - outer: what it leads out of; nil is outside.
    ///   - isWayOut: whether the lane is passed outwards. That is never refused, also where it leads into another zone: somebody who
    ///     came in behind another, or into a zone whose outer one is full, must be able to leave.
    ///   - isExempt: whether anti-passback does not bind the person. Room is wanted for everybody.
    public mutating func admit(_ person: PersonDigest, into zone: String?, from outer: String? = nil, isWayOut: Bool, policy: ZonePolicy,
                               isExempt: Bool, at now: Int64) -> Admission {
        let kept = policy.isKept ? zone : nil
        let judgement = kept.map { isWayOut ? .allowed : judge(person, into: $0, policy, isExempt, at: now) } ?? .allowed
        guard case .allowed = judgement else { return Admission(judgement: judgement) }
        let left = outer.flatMap { zones[$0]?.present[person] != nil && $0 != zone ? $0 : nil }
        guard kept != nil || left != nil else { return Admission(judgement: judgement, person: person) }
        lastTicket += 1
        pending.append(PendingPassage(ticket: lastTicket, person: person, zone: kept, from: left))
        return Admission(judgement: judgement, ticket: lastTicket, person: person)
    }

    private mutating func judge(_ person: PersonDigest, into zone: String, _ policy: ZonePolicy, _ isExempt: Bool,
                                at now: Int64) -> AccessJudgement {
        let waits = isLeaving(person, zone) ? nil : zones[zone]?.waitBegins(of: person, at: now)
        let since = isOnTheWay(person, into: zone) ? now : waits
        var notes: [Reason] = []
        if let since, !isExempt {
            switch policy.mode {
            case .off: break
            case .soft: notes = [.antiPassback]
            case .hard: return .refused(.antiPassback, by: .passback)
            case .timed(let wait): if now - since < wait { return .refused(.antiPassback, by: .passback) }
            }
        }
        // Whoever is inside already takes no further place.
        if since == nil, let capacity = policy.capacity, occupied(in: zone) >= capacity { return .refused(.zoneFull, by: .capacity) }
        return .allowed(notes: notes)
    }

    /// Whether somebody was let out of the zone and counts as out, until it is known whether they have passed.
    private func isLeaving(_ person: PersonDigest, _ zone: String) -> Bool {
        pending.contains { $0.person == person && $0.from == zone }
    }

    private func isOnTheWay(_ person: PersonDigest, into zone: String) -> Bool {
        pending.contains { $0.person == person && $0.zone == zone }
    }

    /// Places taken: by those inside who are not about to leave, and by those who are about to come in.
    private func occupied(in zone: String) -> Int {
        let present = zones[zone]?.present ?? [:]
        let leaving = Set(pending.lazy.filter { $0.from == zone && present[$0.person] != nil }.map(\.person))
        let coming = Set(pending.lazy.filter { $0.zone == zone && (present[$0.person] == nil || leaving.contains($0.person)) }.map(\.person))
        return present.count - leaving.count + coming.count
    }

    // What became of it ----------------------------------------------------------------------------

    /// The person has passed.
    /// - Parameters:
    ///   - ticket: that of the admission.
    ///   - isKept: whether the gate has to know who is in a zone.
    public mutating func passed(_ person: PersonDigest, through crossing: Crossing, ticket: UInt64, at now: Int64,
                                isKept: (String) -> Bool) -> [PassbackChange] {
        withdraw(ticket)
        var changes: [PassbackChange] = []
        if let from = crossing.from, from != crossing.to, zones[from]?.leave(person) == true {
            changes.append(.left(person, zone: from))
        }
        if let to = crossing.to, isKept(to) {
            changes += makeRoom(for: person, in: to)
            zones[to, default: ZoneOccupancy()].enter(person, at: now)
            changes.append(.entered(person, zone: to, at: now))
        }
        return changes
    }

    /// The person was not let through after all, or did not pass.
    public mutating func withdraw(_ ticket: UInt64) {
        pending.removeAll { $0.ticket == ticket }
    }

    private mutating func makeRoom(for person: PersonDigest, in zone: String) -> [PassbackChange] {
        let isKnown = zones[zone].map { $0.present[person] != nil || $0.doubtful[person] != nil } ?? false
        guard !isKnown, count >= limit else { return [] }
        let oldest = zones.compactMap { name, zone in zone.oldest.map { (name, $0.person, $0.since) } }.min { $0.2 < $1.2 }
        guard let (name, forgotten, _) = oldest, zones[name]?.leave(forgotten) == true else { return [] }
        return [.left(forgotten, zone: name)]
    }

    // What happens to a zone -----------------------------------------------------------------------

    /// The daily reset: everybody in the zone who came in before `time` counts as gone. Answers nothing when it concerns nobody, or
    /// was made already.
    public mutating func reset(_ zone: String, before time: Int64, at now: Int64) -> [PassbackChange] {
        // Asked at every tap: the look at all of them is for once a day.
        guard zones[zone]?.isNews(reset: time) == true else { return [] }
        let ahead = (zones[zone]?.fromAhead(of: now) ?? []).flatMap { forget($0, in: zone) }
        return ahead + empty(zone, before: time)
    }

    /// Everybody who is known in the zone now counts as gone.
    public mutating func empty(_ zone: String, at now: Int64) -> [PassbackChange] {
        empty(zone, before: zones[zone]?.afterAll(now) ?? now)
    }

    private mutating func empty(_ zone: String, before time: Int64) -> [PassbackChange] {
        zones[zone]?.empty(before: time) == true ? [.emptied(zone: zone, before: time)] : []
    }

    /// One person counts as gone, in one zone or in all.
    public mutating func forget(_ person: PersonDigest, in zone: String?) -> [PassbackChange] {
        zones.keys.sorted().filter { zone == nil || $0 == zone }.compactMap { name in
            zones[name]?.leave(person) == true ? .left(person, zone: name) : nil
        }
    }

    /// A way out of the zone stands open, or has stood open until now: whoever is inside may have left unseen. They are shown still,
    /// and nothing is held against them.
    public mutating func doubt(_ zone: String) -> [PassbackChange] {
        guard zones[zone]?.present.isEmpty == false else { return [] }
        zones[zone]?.doubt()
        return [.doubted(zone: zone)]
    }

    // Before a restart -----------------------------------------------------------------------------

    /// What was written down, in its order.
    public mutating func restore(_ changes: [PassbackChange]) {
        for change in changes {
            switch change {
            case .entered(let person, let zone, let since): zones[zone, default: ZoneOccupancy()].enter(person, at: since)
            case .left(let person, let zone): _ = zones[zone]?.leave(person)
            case .emptied(let zone, let time): _ = zones[zone]?.empty(before: time)
            case .doubted(let zone): zones[zone]?.doubt()
            }
        }
    }

    /// What brings a gate that knows nothing to this state.
    public var snapshot: [PassbackChange] {
        zones.sorted { $0.key < $1.key }.flatMap { name, zone -> [PassbackChange] in
            let doubtful = zone.doubtful.map { PassbackChange.entered($0.key, zone: name, at: $0.value) }
            return doubtful + (doubtful.isEmpty ? [] : [.doubted(zone: name)]) + zone.present.map { .entered($0.key, zone: name, at: $0.value) }
        }
    }

    // Showing --------------------------------------------------------------------------------------

    /// The zones of which anything is known.
    public var knownZones: [String] { zones.filter { $0.value.count > 0 }.keys.sorted() }

    /// How many are known, in all zones; who is in two counts twice.
    public var count: Int { zones.values.reduce(0) { $0 + $1.count } }

    /// How many are inside, and how many were when a way out stood open.
    public func load(of zone: String) -> (present: Int, doubtful: Int) {
        (zones[zone]?.present.count ?? 0, zones[zone]?.doubtful.count ?? 0)
    }

    /// Where the person is, since when, and whether that is beyond doubt; in order of the zones.
    public func places(of person: PersonDigest) -> [(zone: String, since: Int64, isSure: Bool)] {
        zones.sorted { $0.key < $1.key }.flatMap { name, zone in
            [zone.present[person].map { (name, $0, true) }, zone.doubtful[person].map { (name, $0, false) }].compactMap(\.self)
        }
    }

    /// Who is in the zone, who came in first before the others.
    public func people(in zone: String) -> [(person: PersonDigest, since: Int64, isSure: Bool)] {
        let known = zones[zone] ?? ZoneOccupancy()
        let people = known.present.map { ($0.key, $0.value, true) } + known.doubtful.map { ($0.key, $0.value, false) }
        return people.sorted { ($0.1, $0.0.bytes.description) < ($1.1, $1.0.bytes.description) }.map { (person: $0.0, since: $0.1, isSure: $0.2) }
    }

    /// Whether the person may go into the zone, as `admit` would say; nobody is awaited.
    /// - Parameter reset: the daily reset that is due, if it was not made yet.
    public func foresee(_ person: PersonDigest, into zone: String?, isWayOut: Bool, policy: ZonePolicy, isExempt: Bool, reset: Int64?,
                        at now: Int64) -> AccessJudgement {
        var passback = self
        if let zone, let reset { _ = passback.reset(zone, before: reset, at: now) }
        return passback.admit(person, into: zone, isWayOut: isWayOut, policy: policy, isExempt: isExempt, at: now).judgement
    }

    /// Passages that may come at any moment.
    public var pendingCount: Int { pending.count }
}
