import Credentials
import Gate
import Vocabulary

/// One lane that is put through steps beside its oracle, and watched.
///
/// What is held whatever happens: never two directions energised; the relay de-energised in every denied, fault and lockdown
/// state unless fire or a request to exit demands otherwise; no relay for a credential without a reservation, which is made
/// when the attempt is on its way to the disk; every pulse ends; fire always wins; each grant ends in one word; memory is
/// bounded. Beside these, relay, mode, conditions, findings and the fate of every grant are those of the oracle.
public struct LaneTrial {
    private var lane: Lane
    private var oracle: LaneOracle
    private var rules: LaneRules
    private var now: Int64 = 1000
    /// What the actions say is energised.
    private var relays: Set<Direction> = []
    private var signal = Signal.ready
    private var isAlarming = false
    private var isReleasedByFire: Direction?
    /// When the grants' relay must be de-energised at the latest.
    private var pulseEnds: Int64?
    /// When what a test has energised must be de-energised at the latest.
    private var testEnds: Int64 = 0
    private var outstanding: Set<GrantIdentity> = []
    private var grants: UInt64 = 0
    /// What was seen, so that a test can tell that everything was met.
    public private(set) var sights = LaneSights()

    public init(rules: LaneRules) {
        lane = Lane(rules: rules)
        signal = lane.indicator
        oracle = LaneOracle(rules: rules)
        self.rules = rules
    }

    /// Goes one step on.
    public mutating func apply(_ step: LaneStep) throws(Violation) {
        now += step.delay
        try elapse(isLate: step.isLate)
        try happen(step.event)
        try end()
    }

    // Time -----------------------------------------------------------------------------------------

    private mutating func elapse(isLate: Bool) throws(Violation) {
        if isLate {
            oracle.pass(to: now)
        } else {
            try keepTime()
        }
        try advance(to: now)
        // What has just begun may last no time at all.
        try keepTime()
        if let ends = pulseEnds, ends <= now { try hold("every pulse ends", !lane.relayState.isEnergised) { "\(lane.relayState) at \(now)" } }
    }

    /// As a timekeeper that sleeps until the next change does. It never wakes again and again for nothing.
    private mutating func keepTime() throws(Violation) {
        var rounds = 0
        while let next = lane.nextChange, next.milliseconds <= now {
            rounds += 1
            try hold("time goes on", rounds < 20) { "\(next) again and again" }
            try advance(to: next.milliseconds)
        }
    }

    private mutating func advance(to time: Int64) throws(Violation) {
        oracle.begin()
        oracle.advance(to: time)
        try check(lane.advance(to: Instant(milliseconds: time)))
        try settle()
    }

    /// A relay that was driven is confirmed, as `LaneRunner` does after each change.
    private mutating func settle() throws(Violation) {
        oracle.begin()
        oracle.confirm()
        try check(lane.confirm())
    }

    // Events ---------------------------------------------------------------------------------------

    private mutating func happen(_ event: LaneStep.Event) throws(Violation) {
        let at = Instant(milliseconds: now)
        oracle.begin()
        switch event {
        case .nothing: break
        case .reserve(let direction, let carrier, let credential):
            try reserve(direction, carrier, credential)
        case .open(let rest, let drives):
            try open(rest, drives: drives)
        case .giveBack:
            guard let held = hand.remove() else { break }
            oracle.giveBack()
            lane.giveBack(held)
        case .openVoided:
            guard let late = voided.remove() else { break }
            grants += 1
            let opened = lane.open(late, for: GrantIdentity(outcome: grants), at: at)
            try hold("nobody opens on a reservation that a failure has voided", opened == nil) { "\(opened ?? [])" }
        case .giveBackVoided:
            guard let late = voided.remove() else { break }
            lane.giveBack(late)
        case .abandon:
            try abandon()
        case .deny(let carrier, let counts, let isWait):
            if counts { oracle.fail(carrier) }
            try check(lane.deny(over: carrier, countsAsFailure: counts, isWait: isWait, at: at))
        case .input(let kind, let state, let isFound):
            oracle.input(kind, state, isFound: isFound)
            let before = lane.energised
            let actions = lane.input(InputChange(kind, state, isFound: isFound), at: at)
            if case .faulty = state, kind != .fire, before == nil {
                try hold("an input that cannot be read opens nothing", lane.energised == nil) { "\(kind)" }
            }
            try hold("every change of an input is recorded", actions.count(where: { $0 == .record(.input(kind, state)) }) == 1) { "\(actions)" }
            try check(actions)
        case .schedule(let modeRequest):
            oracle.schedule(modeRequest)
            try check(lane.setMode(bySchedule: modeRequest, at: at))
        case .operate(let modeRequest, let lasts):
            let until = lasts.map { now + $0 }
            oracle.operate(modeRequest, until: until)
            let timed = modeRequest.map { ModeRequest($0.mode, direction: $0.direction, until: until.map(Instant.init(milliseconds:))) }
            try check(lane.setMode(timed, by: Self.requester, at: at))
        case .command(let order, let carrier):
            try command(order, carrier)
        case .release(let direction):
            try release(direction)
        case .arm(let isArmed):
            oracle.arm(isArmed)
            try check(lane.setArmed(isArmed, by: Self.requester, at: at))
        case .faults(let faults):
            oracle.setFaults(faults)
            try check(lane.setFaults(faults))
        case .stuckOn(let isStuckOn):
            try check(lane.setStuckOn(isStuckOn))
        case .degraded(let isDegraded):
            try check(lane.setDegraded(isDegraded))
        case .read(let begins):
            try check(begins ? lane.beginReading(at: at) : lane.endReading(at: at))
        case .adopt(let rules):
            self.rules = rules
            oracle.adopt(rules)
            try check(lane.adopt(rules))
        case .beginTest:
            try beginTest()
        case .testRelay(let direction, let milliseconds):
            oracle.testRelay(direction, for: milliseconds)
            if lane.energised == nil { testEnds = now + Lane.longestTestPulse }
            try check(lane.testRelay(direction, for: milliseconds, at: at))
        case .deenergiseTestedRelay:
            oracle.deenergiseTestedRelay()
            try check(lane.deenergiseTestedRelay())
        case .endTest:
            oracle.endTest()
            try check(lane.endTest())
        }
        try settle()
    }

    private mutating func beginTest() throws(Violation) {
        let expected = oracle.beginTest()
        var actions: [LaneAction]?
        do throws(LaneRefusal) {
            actions = try lane.beginTest(at: Instant(milliseconds: now))
        } catch {
            sights.refusals.insert(error)
        }
        try same("whether a lane may be tried", actions != nil, expected)
        guard let actions else { return }
        sights.tests += 1
        try check(actions)
    }

    private static let requester = Requester(user: 0, process: 1)

    private mutating func command(_ order: CommandAction.Order?, _ carrier: Carrier) throws(Violation) {
        let at = Instant(milliseconds: now), before = lane.mode, outstandingBefore = outstanding
        let expected = oracle.command(order, carrier)
        let reservation = lane.reserve(for: order.map { .order($0) } ?? .recordOnly, over: carrier, at: at)
        try same("what stands in the way of a command", reservation.condition, expected)
        guard expected == .clear else { return try same("a command that is refused changes nothing", lane.mode, before) }
        sights.commands += 1
        guard let order else { return lane.giveBack(reservation) }
        let actions = lane.order(reservation, order, at: at)
        try hold("an order whose way is clear is done", actions != nil) { "\(order)" }
        try check(actions ?? [])
        try hold("no phone changes what others ordered", before.source != .operator && before.source != .input) { "\(before)" }
        try hold("a command counts nobody through", outstanding.isSubset(of: outstandingBefore)) { "\(outstanding)" }
    }

    private mutating func reserve(_ direction: Direction, _ carrier: Carrier, _ credential: UInt8) throws(Violation) {
        let at = Instant(milliseconds: now)
        let expected = oracle.condition(direction, carrier, credential)
        try same("what stands in the way", lane.condition(direction, for: carrier, credential: [credential], at: at), expected)
        let reservation = lane.reserve(direction, for: carrier, credential: [credential], at: at)
        try same("what stands in the way of a reservation", reservation.condition, expected)
        oracle.reserve(direction, carrier, credential)
        sights.note(expected)
        guard expected == .clear else { return }
        credentialInHand = credential
        hand.put(reservation)
    }

    private var credentialInHand: UInt8 = 0

    /// What one tap holds, of any number of lives.
    private final class Hand {
        private var reservation: LaneReservation?
        func put(_ reservation: consuming LaneReservation) { self.reservation = consume reservation }
        func remove() -> LaneReservation? { reservation.take() }
    }

    private let hand = Hand()
    /// What a failing relay has taken from a tap that does not know it yet.
    private let voided = Hand()

    private mutating func abandon() throws(Violation) {
        oracle.abandon()
        try check(lane.abandon())
        if let held = hand.remove() { voided.put(held) }
    }

    private mutating func open(_ rest: LaneStep.Rest, drives: Bool) throws(Violation) {
        guard let held = hand.remove() else { return }
        grants += 1
        let grant = GrantIdentity(outcome: grants)
        let wasReserved = oracle.reserved != nil
        let expected = oracle.open(grant, rest)
        let actions = lane.open(held, for: grant, resting: phone(rest), at: Instant(milliseconds: now))
        try same("whether a grant goes on", actions != nil, expected)
        guard let actions else { return try hold("nothing moves for a grant that does not go on", relays == energised) { "\(relays)" } }
        try hold("no grant without its attempt", wasReserved) { "\(grant)" }
        outstanding.insert(grant)
        sights.grants += 1
        try check(actions)
        guard !drives else { return }
        oracle.begin()
        try abandon()
    }

    private func phone(_ rest: LaneStep.Rest) -> PhoneCooldown? {
        switch rest {
        case .none: nil
        case .foreground: PhoneCooldown([credentialInHand], isInBackground: false)
        case .background: PhoneCooldown([credentialInHand], isInBackground: true)
        }
    }

    private var energised: Set<Direction> { lane.energised.map { [$0] } ?? [] }

    private mutating func release(_ direction: Direction?) throws(Violation) {
        let expected = oracle.release(direction ?? .in)
        var actions: [LaneAction]?
        do throws(LaneRefusal) {
            actions = try lane.release(direction, by: Self.requester, at: Instant(milliseconds: now))
        } catch {
            sights.refusals.insert(error)
        }
        try same("whether an operator is obeyed", actions != nil, expected)
        if let actions { try check(actions) }
    }

    // Laws -----------------------------------------------------------------------------------------

    /// Follows what a lane says is to be done.
    private mutating func check(_ actions: [LaneAction]) throws(Violation) {
        var findings: [PassageFinding] = []
        var passed: [GrantIdentity] = []
        var missed: [GrantIdentity] = []
        for action in actions {
            switch action {
            case .setRelay(let direction, let isOn):
                if isOn { relays.insert(direction) } else { relays.remove(direction) }
                try hold("never two directions energised", relays.count <= 1) { "\(actions)" }
            case .show(let shown):
                try hold("only a change is shown", shown != signal) { "\(shown)" }
                signal = shown
            case .passed(let grant, _): passed.append(grant)
            case .notPassed(let grant, _): missed.append(grant)
            case .record(let record):
                if case .passage(let finding, _, _) = record { findings.append(finding) }
                try note(record)
            }
        }
        for grant in passed + missed {
            try hold("a grant ends in one word", outstanding.remove(grant) != nil) { "\(grant) in \(actions)" }
        }
        try same("findings", findings.sorted(by: Self.order), oracle.findings.sorted(by: Self.order))
        try same("who has passed", Set(passed), Set(oracle.passed))
        try same("who has not passed", Set(missed), Set(oracle.missed))
        findings.forEach { sights.findings.insert($0) }
        try look()
    }

    private static func order(_ left: PassageFinding, _ right: PassageFinding) -> Bool { left.rawValue < right.rawValue }

    private mutating func note(_ record: LaneRecord) throws(Violation) {
        switch record {
        case .alarm(let cause):
            try hold("only an armed lane raises alarms", lane.isArmed) { "\(cause)" }
            isAlarming = true
            sights.alarms.insert(cause)
        case .alarmOver:
            try hold("only an alarm is over", isAlarming) { "" }
            isAlarming = false
        case .fireRelease(let direction):
            try hold("both edges of a fire release are recorded, once", direction != isReleasedByFire) { "\(record)" }
            isReleasedByFire = direction
        case .input, .passage, .release, .releaseFailed, .mode, .orderOver, .armed: break
        }
    }

    /// What holds at every moment.
    private mutating func look() throws(Violation) {
        try same("relays as told and as wanted", relays, energised)
        try same("the relay", lane.energised, oracle.energised)
        try same("whether it is tried", lane.isUnderTest, oracle.isTried)
        try same("the mode", lane.mode.mode, oracle.mode.mode)
        try same("whose mode it is", lane.mode.source, oracle.mode.source)
        try same("the signal as told", signal, lane.indicator)
        if let way = oracle.fireWay { try same("fire always wins", lane.energised, way) }
        try same("what fire releases, as recorded", isReleasedByFire, oracle.fireWay)
        if oracle.isFire { try same("fire is shown", lane.indicator, .fire) }
        if !lane.isArmed, case .alarm = lane.state { throw Violation(law: "a disarmed lane raises no alarm", detail: "\(lane.state)") }
        try restsWhereItMust()
        sights.note(lane.state, signal)
        keepPulse()
    }

    private func restsWhereItMust() throws(Violation) {
        // What a test energises has an end of its own.
        guard !lane.isUnderTest else { return }
        switch lane.state {
        case .denied, .fault, .lockedDown, .closed, .idle, .reading:
            try hold("the relay is de-energised where nobody is let through", lane.energised == nil) { "\(lane.state), \(lane.energised as Any)" }
        case .fire, .alarm, .granted, .passing, .heldOpen, .freePassage: break
        }
    }

    /// A pulse has an end from its beginning on.
    private mutating func keepPulse() {
        guard case .energised(_, let until) = lane.relayState else { return pulseEnds = nil }
        pulseEnds = until.milliseconds
        sights.longestPulse = max(sights.longestPulse, until.milliseconds - now)
    }

    private mutating func end() throws(Violation) {
        try hold("a pulse is no longer than the rules say", (pulseEnds ?? now) - now <= 5000) { "\(lane.relayState) at \(now)" }
        if lane.isUnderTest {
            try hold("what a test energises does not stay so", lane.energised == nil || now < testEnds) { "\(lane.energised as Any) at \(now)" }
        }
        try hold("few people are waited for", outstanding.count <= 33) { "\(outstanding.count)" }
    }

    /// How many values the lane holds, for a look at its memory.
    public var size: Int { Self.size(of: lane) }

    private static func size(of value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        return 1 + mirror.children.reduce(0) { $0 + size(of: $1.value) }
    }

    private func hold(_ law: String, _ holds: Bool, _ detail: () -> String) throws(Violation) {
        if !holds { throw Violation(law: law, detail: detail()) }
    }

    private func same<Value: Equatable>(_ law: String, _ seen: Value, _ expected: Value) throws(Violation) {
        if seen != expected { throw Violation(law: law, detail: "\(seen) instead of \(expected)") }
    }
}
