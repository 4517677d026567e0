import Vocabulary

extension Lane {
    /// Whether a sensor sees who passes in that direction.
    func hasSensor(_ direction: Direction) -> Bool {
        let sensor = sensor(of: direction)
        return rules.inputs.contains(sensor == .in ? .passageIn : .passageOut) && !sensors.unseen.contains(sensor)
    }

    /// A lane with one sensor has a door: it sees both ways.
    private var isDoor: Bool { !rules.inputs.contains(.passageOut) }

    private func sensor(of direction: Direction) -> Direction { isDoor ? .in : direction }

    // Letting through ------------------------------------------------------------------------------

    /// Lets one person through: energises the relay unless the lane is open anyway, and waits for the passage.
    mutating func letThrough(_ cause: GrantCause, _ direction: Direction, at now: Instant) -> [LaneAction] {
        let isHeld = isHeldUntilPassage(direction)
        if movesRelay(direction) {
            relay = .energised(direction, until: now + (isHeld ? rules.passageWait : rules.pulse(direction)))
            (endsWithPassage, isLettingOut) = (isHeld, cause == .requestToExit)
        }
        if !isOnFire { indicators.show(.granted, from: now, until: max(relay.until ?? now, now + rules.display)) }
        // Whoever leaves beyond those who can be waited for is let out all the same.
        if isCrowded(direction) != nil, cause == .requestToExit { return [] }
        let wait = PassageWait(cause: cause, direction: direction, began: now, until: now + rules.passageWait, joins: doorStandsOpen)
        return waits.begin(wait).map { passed([$0]) } ?? []
    }

    /// Somebody is in the passage of a door: it stands open.
    private var doorStandsOpen: Bool { isDoor && sensors.passages[.in] != nil }

    /// When there is room for another one to be waited for; nil where there is. One who gives up the first, who may be walking, would take
    /// every passage after it for the one before.
    func isCrowded(_ direction: Direction) -> Instant? {
        doorStandsOpen ? nil : waits.isFull(direction)
    }

    /// Whether the relay of that direction waits for the passage: it is to, and there is a sensor that sees it.
    private func isHeldUntilPassage(_ direction: Direction) -> Bool {
        rules.hold(direction) == .untilPassage && hasSensor(direction)
    }

    /// Whether a grant in that direction has a relay to move: not where the lane stands open anyway.
    func movesRelay(_ direction: Direction) -> Bool {
        guard fireRelease == nil else { return false }
        return openDirection.map { !serves($0, direction) } ?? true
    }

    /// Nobody has passed on a grant.
    private func missed(_ wait: PassageWait) -> [LaneAction] {
        guard hasSensor(wait.direction) else { return voided(wait) }
        return [.record(.passage(.passageTimeout, direction: wait.direction, grant: wait.cause.identity))] + voided(wait)
    }

    /// A grant came to nothing.
    func voided(_ wait: PassageWait) -> [LaneAction] {
        wait.cause.identity.map { [.notPassed($0, wait.direction)] } ?? []
    }

    /// The relay did not move for somebody who was let through without a credential: what was recorded of it did not come about.
    func voidedByRelay(_ wait: PassageWait) -> [LaneAction] {
        switch wait.cause {
        case .credential: voided(wait)
        case .requestToExit, .release: [.record(.releaseFailed(wait.direction, by: wait.cause))]
        }
    }

    /// Without a sensor, whoever was let through has passed.
    mutating func passUnseen() -> [LaneAction] {
        Direction.allCases.filter { !hasSensor($0) }.flatMap { waits.removeAll($0) }.flatMap { wait -> [LaneAction] in
            wait.cause.identity.map { [.passed($0, wait.direction)] } ?? []
        }
    }

    /// Ends the waits that are over.
    mutating func expireWaits(at now: Instant) -> [LaneAction] {
        waits.expire(at: now).flatMap { missed($0) }
    }

    // Passing --------------------------------------------------------------------------------------

    /// The sensor of `sensor` sees somebody. `isFound`: nobody saw them come.
    mutating func beginPassage(_ sensor: Direction, isFound: Bool, at now: Instant) -> [LaneAction] {
        sensors.unseen.remove(sensor)
        guard sensors.passages[sensor] == nil else { return [] }
        if isFound { return findPassage(sensor, at: now) }
        let people = isDoor ? waits.latest.map { waits[$0.direction] } ?? [] : Array(waits[sensor].prefix(1))
        guard let direction = people.first?.direction else { return beginUngranted(sensor, at: now) }
        sensors.passages[sensor] = Passage(people: people, direction: direction, began: now)
        waits.use(people)
        for person in people { cooldowns.recordPassage(relay: person.began) }
        restAfterPassage(direction, at: now)
        return []
    }

    /// The relay that is held until the passage begins is de-energised then.
    private mutating func restAfterPassage(_ direction: Direction, at now: Instant) {
        guard endsWithPassage, relay.direction == direction else { return }
        relay = .deenergised
        indicators.endTemporary(after: rules.display, at: now)
    }

    /// It is de-energised, too, where nobody is waited for any more: a door that has closed is not unlocked for whoever comes next.
    private mutating func restAfterEverybody(at now: Instant) {
        guard let direction = relay.direction, waits[direction].isEmpty else { return }
        restAfterPassage(direction, at: now)
    }

    /// A passage that is found open at the start: the lane is held, whoever did it.
    private mutating func findPassage(_ sensor: Direction, at now: Instant) -> [LaneAction] {
        sensors.passages[sensor] = Passage(people: [], direction: isDoor ? nil : sensor, began: now, isHeld: true)
        return [.record(.passage(.held, direction: isDoor ? nil : sensor, grant: nil))] + raise(.held, at: now)
    }

    /// Somebody passes whom nobody waits for.
    private mutating func beginUngranted(_ sensor: Direction, at now: Instant) -> [LaneAction] {
        let direction = isDoor ? everybodyPasses ?? waits.lastUsed(at: now) : sensor
        sensors.passages[sensor] = Passage(people: [], direction: direction, began: now)
        let finding = finding(direction, at: now)
        return [.record(.passage(finding, direction: direction, grant: nil))] + (finding.alarm.map { raise($0, at: now) } ?? [])
    }

    private func finding(_ direction: Direction?, at now: Instant) -> PassageFinding {
        if fireRelease != nil { return .counted }
        if let open = openDirection, direction.map({ serves(open, $0) }) ?? true { return .counted }
        guard let direction else { return .forcedEntry }
        if waits.isUsed(direction, at: now) { return .tailgating }
        return waits[direction.opposite].isEmpty ? .forcedEntry : .wrongWay
    }

    /// The sensor sees nobody any more: whoever was let through has passed.
    mutating func endPassage(_ sensor: Direction, at now: Instant) -> [LaneAction] {
        sensors.unseen.remove(sensor)
        guard var passage = sensors.passages.removeValue(forKey: sensor) else { return [] }
        if sensor == .in { passage.people += removeJoined() }
        restAfterEverybody(at: now)
        let over = passage.isHeld ? [LaneAction.record(held(.heldOver, passage))] : []
        return over + passed(passage.people)
    }

    /// Whoever was let through while the door stood open need not open it once more.
    private mutating func removeJoined() -> [PassageWait] {
        let people = waits.removeJoined()
        for person in people { cooldowns.recordPassage(relay: person.began) }
        return people
    }

    private func passed(_ people: [PassageWait]) -> [LaneAction] {
        people.flatMap { person -> [LaneAction] in
            let told = LaneAction.record(.passage(.passed, direction: person.direction, grant: person.cause.identity))
            return [told] + (person.cause.identity.map { [.passed($0, person.direction)] } ?? [])
        }
    }

    /// The sensor cannot be read any more. Whoever was in the passage has passed it; whoever is waited for is taken as
    /// passed, as in a lane without a sensor, and the relay is held for no passage that nobody sees.
    mutating func loseSensor(_ sensor: Direction, at now: Instant) -> [LaneAction] {
        let actions = endPassage(sensor, at: now)
        sensors.unseen.insert(sensor)
        if case .energised(let direction, let until) = relay, endsWithPassage, !hasSensor(direction) {
            (relay, endsWithPassage) = (.energised(direction, until: min(until, now + rules.pulse(direction))), false)
        }
        return actions + passUnseen()
    }

    // Held -----------------------------------------------------------------------------------------

    /// Nothing is held open against anybody's will where everybody may pass.
    private var countsHeld: Bool { everybodyPasses == nil }

    /// The way that was let through last is named.
    private func held(_ finding: PassageFinding, _ passage: Passage) -> LaneRecord {
        let last = (passage.people + (isDoor ? waits.joined : [])).max { $0.began < $1.began }
        return .passage(finding, direction: last?.direction ?? passage.direction, grant: last?.cause.identity)
    }

    /// When the next passage has taken too long.
    var nextHeld: Instant? {
        guard countsHeld else { return nil }
        return sensors.all.filter { !$0.isHeld }.map { $0.began + rules.heldAfter }.min()
    }

    /// Says which passages have taken too long.
    mutating func reportHeld(at now: Instant) -> [LaneAction] {
        guard countsHeld else { return [] }
        var actions: [LaneAction] = []
        for sensor in Direction.allCases {
            guard let passage = sensors.passages[sensor], !passage.isHeld, passage.began + rules.heldAfter <= now else { continue }
            sensors.passages[sensor]?.isHeld = true
            actions.append(.record(held(.held, passage)))
            actions += raise(.held, at: now)
        }
        return actions
    }

    /// The lane is no longer open to everybody: from here on a passage takes its time anew.
    mutating func countHeldAnew(at now: Instant) {
        for sensor in sensors.passages.keys where sensors.passages[sensor]?.isHeld == false {
            sensors.passages[sensor]?.began = now
        }
    }
}

extension PassageFinding {
    /// The alarm that an armed lane raises for it.
    var alarm: AlarmCause? {
        switch self {
        case .forcedEntry: .forcedEntry
        case .wrongWay: .wrongWay
        case .tailgating: .tailgating
        case .held: .held
        case .passed, .counted, .passageTimeout, .heldOver: nil
        }
    }
}
