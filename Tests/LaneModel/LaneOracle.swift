import Credentials
import Gate
import Vocabulary

/// What a lane ought to do, said a second time and as plainly as can be: by what was asked of it and when, without signals,
/// states and layers. It knows the relay, the mode, who is waited for, and what stands in the way of whom.
struct LaneOracle {
    struct Person {
        var grant: GrantIdentity?
        var direction: Direction
        var began: Int64
        var until: Int64
        /// Let through while the door stood open.
        var joins = false
    }

    struct Inside {
        var people: [Person] = []
        var direction: Direction?
        var since: Int64
        var isHeld: Bool
    }

    private(set) var rules: LaneRules
    private var now: Int64 = 0
    private var fire = InputState.inactive
    private var switched: InputState?
    private var schedule: ModeRequest?
    private var ordered: (modeRequest: ModeRequest, until: Int64?)?
    /// What a phone has ordered.
    private var phoned: (mode: LaneMode, until: Int64)?
    private var faults: Set<LaneFault> = []
    /// The one who has the relay: which way, until when, and who that is.
    private var pulse: (direction: Direction, until: Int64, ends: Ends)?
    private enum Ends { case byTime, byPassage }
    private(set) var reserved: Direction?
    /// Somebody tries the lane, and what that energises.
    private(set) var isTried = false
    private var tried: (direction: Direction, until: Int64)?
    private var credential: UInt8 = 0
    private var people: [Person] = []
    /// Grants that were passed on: a second person could follow.
    private var used: [Direction: Person] = [:]
    private var inside: [InputKind: Inside] = [:]
    private var blind: Set<InputKind> = []
    private var wantOut = 0
    private var hadToWait = false
    private var nextOut: Int64?
    private var success: (relay: Int64, until: Int64)?
    private var failures: [Carrier: Int64] = [:]
    private var pockets: [UInt8: Int64] = [:]
    private var newestPocket: (credential: UInt8, began: Int64, before: Int64?)?
    private(set) var isArmed = true

    /// What the step now done must have told: findings, and what became of grants.
    private(set) var findings: [PassageFinding] = []
    private(set) var passed: [GrantIdentity] = []
    private(set) var missed: [GrantIdentity] = []

    init(rules: LaneRules) { self.rules = rules }

    // What must hold -------------------------------------------------------------------------------

    var isFire: Bool {
        switch fire {
        case .inactive: false
        case .active: true
        case .faulty: rules.releasesOnFireFault
        }
    }

    var fireWay: Direction? {
        guard isFire, case .release(let way) = rules.onFire else { return nil }
        return way
    }

    var mode: (mode: LaneMode, source: ModeSource) {
        if isSwitched { return (rules.switchMode, .input) }
        if let ordered { return (ordered.modeRequest.mode, .operator) }
        if let phoned { return (phoned.mode, .phone) }
        if let schedule { return (schedule.mode, .schedule) }
        return (.normal, .standard)
    }

    /// Unknown, a switch keeps people out if it is one that does.
    private var isSwitched: Bool {
        if switched == .active { return true }
        if switched == .inactive || switched == nil && !rules.inputs.contains(.modeSwitch) { return false }
        return rules.switchMode == .lockedDown || rules.switchMode == .closed
    }

    /// Which way the mode holds the lane open.
    var openWay: Direction? {
        guard !faults.contains(.line), mode.mode == .heldOpen || mode.mode == .freePassage else { return nil }
        let named = isSwitched || mode.source == .phone ? nil : ordered.map { $0.modeRequest.direction } ?? schedule?.direction
        return named ?? rules.freePassage
    }

    var energised: Direction? { fireWay ?? pulse?.direction ?? openWay ?? tried?.direction }

    private func isSameRelay(_ one: Direction, _ other: Direction) -> Bool { one == other || !rules.hasRelayOut }

    private var keepsOut: Bool { faults.contains { $0 != .journal } }

    func condition(_ direction: Direction, _ carrier: Carrier, _ credential: UInt8) -> LaneCondition {
        if isTried { return .closed }
        if keepsOut { return .outOfService }
        let pocket = carrier == .ble ? pockets[credential].flatMap { now < $0 ? $0 : nil } : nil
        if let way = fireWay ?? openWay {
            if !isSameRelay(way, direction) { return .closed }
            if reserved != nil { return .busy }
            if let until = isFull(direction) { return .occupied(until: Instant(milliseconds: until)) }
            return pocket.map { .resting(Cooldown(kind: .phone, ends: Instant(milliseconds: $0))) } ?? .clear
        }
        if mode.mode == .lockedDown || mode.mode == .closed { return .closed }
        if reserved != nil { return .busy }
        if let pulse, isTaken(direction) { return .occupied(until: Instant(milliseconds: pulse.until)) }
        if let until = isFull(direction) { return .occupied(until: Instant(milliseconds: until)) }
        if let success, now < success.until { return .resting(Cooldown(kind: .success, ends: Instant(milliseconds: success.until))) }
        if let pocket { return .resting(Cooldown(kind: .phone, ends: Instant(milliseconds: pocket))) }
        if let end = failures[carrier], now < end { return .resting(Cooldown(kind: .failure, ends: Instant(milliseconds: end))) }
        return .clear
    }

    /// Eight are waited for that way, and until when the first of them is.
    private func isFull(_ direction: Direction) -> Int64? {
        let waiting = people.filter { $0.direction == direction }
        return isOpenDoor || waiting.count < 8 ? nil : waiting.map(\.until).min()
    }

    private var isOpenDoor: Bool { isDoor && inside[.passageIn] != nil }

    private func isTaken(_ direction: Direction) -> Bool {
        guard let pulse else { return false }
        return hold(pulse.direction) == .untilPassage || !isSameRelay(pulse.direction, direction)
    }

    private func hold(_ direction: Direction) -> LaneRules.Hold { rules.hasRelayOut && direction == .out ? rules.holdOut : rules.hold }

    private func length(_ direction: Direction) -> Int64 {
        if hold(direction) == .untilPassage, sees(direction) { return rules.passageWait }
        return rules.hasRelayOut && direction == .out ? rules.pulseOut : rules.pulse
    }

    private func sees(_ direction: Direction) -> Bool {
        let kind: InputKind = isDoor || direction == .in ? .passageIn : .passageOut
        return rules.inputs.contains(kind) && !blind.contains(kind)
    }

    private var isDoor: Bool { !rules.inputs.contains(.passageOut) }

    // What happens ---------------------------------------------------------------------------------

    mutating func begin() {
        findings = []
        passed = []
        missed = []
    }

    /// Time has come to `time`, and the timekeeper has seen it.
    mutating func advance(to time: Int64) {
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        now = max(now, time)
        if let pulse, pulse.until <= now { self.pulse = nil }
        if let tried, tried.until <= now { self.tried = nil }
        if let until = ordered?.until, until <= now { ordered = nil }
        if let until = phoned?.until, until <= now { phoned = nil }
        for person in people where isOver(person) { give(up: person) }
        people = people.filter { !isOver($0) }
        if !wasOpen { hold() }
        settle(was, wasOpen, hadPulse)
    }

    private func isOver(_ person: Person) -> Bool { !person.joins && person.until <= now }

    /// Which way everybody may pass.
    private var way: Direction? { fireWay ?? openWay }

    /// Time alone, unnoticed.
    mutating func pass(to time: Int64) { now = max(now, time) }

    private mutating func hold() {
        for (kind, there) in inside where !there.isHeld && there.since + rules.heldAfter <= now {
            inside[kind]?.isHeld = true
            findings.append(.held)
        }
    }

    mutating func reserve(_ direction: Direction, _ carrier: Carrier, _ credential: UInt8) {
        guard condition(direction, carrier, credential) == .clear else { return }
        reserved = direction
        self.credential = credential
    }

    /// Whether the grant goes on.
    mutating func open(_ grant: GrantIdentity, _ rest: LaneStep.Rest) -> Bool {
        guard let direction = reserved else { return false }
        reserved = nil
        guard !keepsOut, isFull(direction) == nil else { return false }
        if let way = fireWay ?? openWay {
            guard isSameRelay(way, direction) else { return false }
        } else {
            guard mode.mode != .lockedDown, mode.mode != .closed, !isTaken(direction) else { return false }
            success = rules.cooldownAfterSuccess > 0 ? (now, now + rules.cooldownAfterSuccess) : nil
            failures = [:]
            newestPocket = nil
        }
        let length = length(rest)
        if length > 0 {
            newestPocket = (credential, now, pockets[credential])
            pockets[credential] = max(now + length, pockets[credential] ?? 0)
        }
        let hadPulse = pulse?.direction
        letThrough(grant, direction)
        settle(mode.mode, way != nil, hadPulse)
        return true
    }

    private func length(_ rest: LaneStep.Rest) -> Int64 {
        switch rest {
        case .none: 0
        case .foreground: rules.cooldownAfterSuccess
        case .background: max(rules.cooldownAfterSuccess, rules.backgroundCooldown)
        }
    }

    private mutating func letThrough(_ grant: GrantIdentity?, _ direction: Direction, isExit: Bool = false) {
        let standsOpen = openWay.map { isSameRelay($0, direction) } ?? false
        let ends: Ends = hold(direction) == .untilPassage && sees(direction) ? .byPassage : .byTime
        if fireWay == nil, !standsOpen { pulse = (direction, now + length(direction), ends) }
        if isExit, isFull(direction) != nil { return }
        used[direction] = nil
        people.append(Person(grant: grant, direction: direction, began: now, until: now + rules.passageWait, joins: isOpenDoor))
        guard people.count(where: { $0.direction == direction }) > 8,
              let first = people.firstIndex(where: { $0.direction == direction && $0.joins })
        else { return }
        pass([people.remove(at: first)])
    }

    private mutating func pass(_ people: [Person]) {
        findings += people.map { _ in .passed }
        passed += people.compactMap(\.grant)
    }

    private mutating func give(up person: Person) {
        if sees(person.direction) { findings.append(.passageTimeout) }
        if let grant = person.grant { missed.append(grant) }
    }

    mutating func giveBack() { reserved = nil }

    /// The relay works: where nothing sees the passage, that is all there is to know.
    mutating func confirm() {
        let unseen = people.filter { !sees($0.direction) }
        passed += unseen.compactMap(\.grant)
        people.removeAll { person in unseen.contains { $0.direction == person.direction } }
    }

    mutating func abandon() {
        reserved = nil
        tried = nil
        guard let direction = pulse?.direction else { return }
        pulse = nil
        if let last = people.lastIndex(where: { $0.direction == direction }) { revoke(people.remove(at: last)) }
        settle(mode.mode, way != nil, direction)
    }

    /// Nobody rests for a grant that did not come about, and for a release nobody ever does.
    private mutating func revoke(_ person: Person) {
        guard let grant = person.grant else { return }
        missed.append(grant)
        if success?.relay == person.began { success = nil }
        guard let newest = newestPocket, newest.began == person.began else { return }
        pockets[newest.credential] = newest.before
        newestPocket = nil
    }

    mutating func fail(_ carrier: Carrier) {
        let isResting = (success.map { now < $0.until } ?? false) || (failures[carrier].map { now < $0 } ?? false)
        if rules.cooldownAfterFailure > 0, !isResting { failures[carrier] = now + rules.cooldownAfterFailure }
    }

    mutating func input(_ kind: InputKind, _ state: InputState, isFound: Bool) {
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        switch kind {
        case .passageIn, .passageOut: passage(kind, state, isFound: isFound)
        case .requestToExit: if state == .active, !isFound, mayLeave { wantOut = min(wantOut + 1, 8) }
        case .fire: fire = state
        case .modeSwitch: switched = state
        case .tamper, .readerTamper, .powerFail: break
        }
        settle(was, wasOpen, hadPulse)
    }

    private mutating func passage(_ kind: InputKind, _ state: InputState, isFound: Bool) {
        switch state {
        case .active:
            blind.remove(kind)
            guard inside[kind] == nil else { return }
            enter(kind, isFound: isFound)
        case .inactive:
            blind.remove(kind)
            leave(kind)
        case .faulty:
            leave(kind)
            blind.insert(kind)
            if let pulse, pulse.ends == .byPassage, !sees(pulse.direction) {
                self.pulse = (pulse.direction, min(pulse.until, now + length(pulse.direction)), .byTime)
            }
            confirm()
        }
    }

    private mutating func enter(_ kind: InputKind, isFound: Bool) {
        let own: Direction? = isDoor ? nil : kind == .passageIn ? .in : .out
        if isFound {
            inside[kind] = Inside(direction: own, since: now, isHeld: true)
            return findings.append(.held)
        }
        // A sensor each way: the first in the queue. A door: everybody of the way that was let through last.
        let way = own ?? people.max { ($0.began, $0.direction == .out ? 1 : 0) < ($1.began, $1.direction == .out ? 1 : 0) }?.direction
        let queue = people.filter { $0.direction == way }
        if let way, let first = queue.first {
            inside[kind] = Inside(people: own == nil ? queue : [first], direction: way, since: now, isHeld: false)
            go(own == nil ? queue.count : 1, way)
            if pulse?.direction == way, pulse?.ends == .byPassage { pulse = nil }
            return
        }
        let isFollowed = { [used, now] (way: Direction) in (used[way]?.until ?? 0) > now }
        let latest = Direction.allCases.filter(isFollowed).max { (used[$0]?.began ?? 0) < (used[$1]?.began ?? 0) }
        let seen = own ?? fireWay ?? openWay ?? latest
        inside[kind] = Inside(direction: seen, since: now, isHeld: false)
        if fireWay != nil || openWay.map({ open in seen.map { isSameRelay(open, $0) } ?? true }) ?? false { return findings.append(.counted) }
        guard let way = seen else { return findings.append(.forcedEntry) }
        if isFollowed(way) { return findings.append(.tailgating) }
        findings.append(people.contains { $0.direction == way.opposite } ? .wrongWay : .forcedEntry)
    }

    /// The first of those who were let through that way are in the passage now.
    private mutating func go(_ count: Int, _ way: Direction) {
        for _ in 0..<count {
            guard let index = people.firstIndex(where: { $0.direction == way }) else { return }
            let person = people.remove(at: index)
            used[way] = person
            if success?.relay == person.began { success = nil }
        }
    }

    private mutating func leave(_ kind: InputKind) {
        guard var there = inside.removeValue(forKey: kind) else { return }
        if kind == .passageIn {
            let meanwhile = people.filter(\.joins).sorted { $0.began < $1.began }
            people.removeAll(where: \.joins)
            for person in meanwhile {
                used[person.direction] = person
                if success?.relay == person.began { success = nil }
            }
            there.people += meanwhile
        }
        if let pulse, pulse.ends == .byPassage, !people.contains(where: { $0.direction == pulse.direction }) { self.pulse = nil }
        if there.isHeld { findings.append(.heldOver) }
        pass(there.people)
    }

    mutating func schedule(_ modeRequest: ModeRequest?) {
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        schedule = modeRequest
        if modeRequest?.mode == .lockedDown || modeRequest?.mode == .closed, phoned?.mode == .heldOpen { phoned = nil }
        settle(was, wasOpen, hadPulse)
    }

    mutating func operate(_ modeRequest: ModeRequest?, until: Int64?) {
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        ordered = modeRequest.flatMap { $0.mode == .normal ? nil : ($0, until) }
        phoned = nil
        settle(was, wasOpen, hadPulse)
    }

    /// What stands in the way of a phone's command; nothing: it is done.
    mutating func command(_ order: CommandAction.Order?, _ carrier: Carrier) -> LaneCondition {
        if isTried { return .closed }
        if keepsOut { return .outOfService }
        if isFire || mode.mode == .lockedDown || mode.mode == .closed { return .closed }
        if order != nil, ordered != nil || isSwitched { return .closed }
        if reserved != nil { return .busy }
        if let end = failures[carrier], now < end { return .resting(Cooldown(kind: .failure, ends: Instant(milliseconds: end))) }
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        switch order {
        case .holdOpen(let length): phoned = (.heldOpen, now + length)
        case .lockDown(let length): phoned = (.lockedDown, now + length)
        case .normal: phoned = nil
        case nil: break
        }
        settle(was, wasOpen, hadPulse)
        return .clear
    }

    /// Whether the operator is obeyed.
    mutating func release(_ direction: Direction) -> Bool {
        guard fireWay == nil, !isTried, mode.mode != .lockedDown, !faults.contains(.line) else { return false }
        if let openWay, isSameRelay(openWay, direction) { return false }
        if let pulse, !isSameRelay(pulse.direction, direction) { return false }
        if isFull(direction) != nil { return false }
        let hadPulse = pulse?.direction
        letThrough(nil, direction)
        settle(mode.mode, way != nil, hadPulse)
        return true
    }

    /// Whether somebody may try the lane.
    mutating func beginTest() -> Bool {
        guard !isTried, !isFire, energised == nil, openWay == nil, mode.mode != .lockedDown, reserved == nil else { return false }
        guard people.isEmpty, wantOut == 0, inside.values.allSatisfy(\.people.isEmpty) else { return false }
        isTried = true
        return true
    }

    mutating func testRelay(_ direction: Direction, for milliseconds: Int64) {
        guard isTried, energised == nil else { return }
        tried = (direction, now + min(milliseconds, 1000))
    }

    mutating func deenergiseTestedRelay() { tried = nil }

    mutating func endTest() {
        isTried = false
        tried = nil
    }

    mutating func arm(_ isArmed: Bool) { self.isArmed = isArmed }

    mutating func setFaults(_ faults: Set<LaneFault>) {
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        self.faults = faults
        settle(was, wasOpen, hadPulse)
    }

    mutating func adopt(_ rules: LaneRules) {
        let was = mode.mode, wasOpen = way != nil, hadPulse = pulse?.direction
        self.rules = rules
        settle(was, wasOpen, hadPulse)
    }

    private var mayLeave: Bool { fireWay == nil && (mode.mode != .lockedDown || rules.requestToExitWhenLocked) }

    /// What follows from whatever has happened.
    private mutating func settle(_ was: LaneMode, _ wasOpen: Bool, _ hadPulse: Direction?) {
        defer { if isFire || pulse != nil || openWay != nil || mode.mode == .lockedDown { endTest() } }
        if mode.source != .phone, mode.mode == .lockedDown || mode.mode == .closed && phoned?.mode == .heldOpen { phoned = nil }
        if wasOpen, way == nil { countAnew() }
        if mode.mode == .lockedDown, was != .lockedDown { pulse = nil }
        if fireWay != nil { pulse = nil }
        guard wantOut > 0 else { return }
        guard mayLeave else { return (wantOut, hadToWait, nextOut) = (0, false, nil) }
        if let pulse, hadToWait || !isSameRelay(pulse.direction, .out) { return (hadToWait, nextOut) = (true, nil) }
        // Two presses that had to wait are two pulses.
        if hadToWait, let hadPulse, pulse == nil, isSameRelay(hadPulse, .out) { nextOut = now + 200 }
        if let nextOut, now < nextOut { return }
        wantOut -= 1
        nextOut = nil
        if wantOut == 0 { hadToWait = false }
        letThrough(nil, .out, isExit: true)
    }

    /// While everybody may pass nothing is held; afterwards a passage takes its time anew.
    private mutating func countAnew() {
        for kind in inside.keys where inside[kind]?.isHeld == false { inside[kind]?.since = now }
    }
}
