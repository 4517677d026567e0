import Vocabulary

extension Lane {
    /// The longest time for which a test energises a relay, in milliseconds.
    public static let longestTestPulse: Int64 = 1000

    /// Whether somebody tries the lane.
    public var isUnderTest: Bool { test != nil }

    /// Takes the lane out of service for a test. Faults are no obstacle: they are what a test looks for.
    /// - Throws: `.open` under fire, held open or in free passage, `.lockedDown`, `.busy` while somebody is let through, is waited for or
    ///   tries the lane already.
    public mutating func beginTest(at now: Instant) throws(LaneRefusal) -> [LaneAction] {
        if isOnFire || openDirection != nil { throw .open }
        if mode.mode == .lockedDown { throw .lockedDown }
        if energised != nil || isReserved || isUnderTest || isStopped || isAwaitingSomebody { throw .busy }
        return acting(at: now) { lane, _ in
            lane.test = LaneTest()
            return []
        }
    }

    /// Somebody was let through and has not passed yet, is passing, or wants out: what their contacts do is no test.
    private var isAwaitingSomebody: Bool {
        !waits.pending.isEmpty || contacts.exitsWanted > 0 || sensors.all.contains { !$0.people.isEmpty }
    }

    /// Energises the relay of a direction for a test, for so many milliseconds and no longer than `longestTestPulse`.
    /// Without a test, or while any relay is energised, nothing is done.
    public mutating func testRelay(_ direction: Direction, for milliseconds: Int64, at now: Instant) -> [LaneAction] {
        guard isUnderTest, energised == nil else { return [] }
        return acting(at: now) { lane, now in
            lane.test = LaneTest(relay: .energised(direction, until: now + min(milliseconds, Self.longestTestPulse)))
            return []
        }
    }

    /// De-energises what the test has energised, whether or not its time is over.
    public mutating func deenergiseTestedRelay() -> [LaneAction] {
        acting(at: clock) { lane, _ in
            lane.test?.relay = .deenergised
            return []
        }
    }

    /// The test is over; a relay that it has energised is de-energised.
    public mutating func endTest() -> [LaneAction] {
        acting(at: clock) { lane, _ in
            lane.test = nil
            return []
        }
    }

    /// De-energises the relay of the test once its time is over.
    mutating func advanceTest(to now: Instant) {
        if let until = test?.relay.until, until <= now { test?.relay = .deenergised }
    }

    /// What takes the lane away from whoever tries it: a fire, a lockdown, a mode that opens, somebody who is let out.
    mutating func endTestIfOverridden() {
        if isOnFire || isStopped || relay.isEnergised || openDirection != nil || mode.mode == .lockedDown { test = nil }
    }
}

/// A lane that is out of service because somebody tries what is wired to it (O2): taps are refused, and the only thing that
/// energises a relay is the test itself, each time until a known instant.
struct LaneTest: Equatable, Sendable {
    /// The relay as the test wants it.
    var relay: Relay = .deenergised
}

/// Why a lane does not do what an operator asks.
public enum LaneRefusal: Error, Hashable, Sendable {
    /// It is locked down: first `normal`.
    case lockedDown
    /// It has a fault.
    case fault
    /// Another grant is under way.
    case busy
    /// The lane is open another way: under fire, held open, free passage.
    case open

    /// The stable code.
    public var code: String {
        switch self {
        case .lockedDown: "lane-locked-down"
        case .fault: "lane-out-of-service"
        case .busy: "lane-busy"
        case .open: "lane-open"
        }
    }

    /// A sentence for people that names the remedy.
    public var message: String {
        switch self {
        case .lockedDown: "The lane is locked down: end that first (`normal`)."
        case .fault: "The lane is out of service; `status` says why."
        case .busy: "The lane is letting somebody through at this moment: ask again."
        case .open: "The lane is open already, and stays as it is."
        }
    }
}
