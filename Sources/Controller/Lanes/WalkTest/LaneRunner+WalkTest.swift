import Gate
import Lines
import Threads
import Vocabulary

extension LaneRunner {
    /// Whether somebody tries the lane: nobody is let through meanwhile.
    package var isUnderTest: Bool { ask(\.isUnderTest) }

    /// Takes the lane out of service and starts a test of `steps`, which brings it back at its end.
    /// - Throws: `test-running`, or why the lane cannot be tried now.
    package func beginWalkTest(_ steps: [WalkStep], timing: WalkTiming = WalkTiming(), loops: Loops,
                       onEnd: @escaping @Sendable (WalkEnd, [WalkResult]) -> Void) throws(WalkRefusal) -> WalkTest {
        let refusal: WalkRefusal? = change { lane in
            do throws(LaneRefusal) {
                return (nil, try lane.beginTest(at: Instant(milliseconds: MonotonicTime.milliseconds)))
            } catch {
                return (lane.isUnderTest ? .running : .lane(error), [])
            }
        }
        if let refusal { throw refusal }
        let test = walk.withLock { walk in
            walk.count += 1
            let test = WalkTest(walk.count, lane: self, steps: steps, timing: timing, onEnd: onEnd)
            walk.test = test
            walk.isRunning = true
            return test
        }
        do throws(SystemError) {
            try test.start(loops: loops)
            return test
        } catch {
            endWalkTest()
            throw .system(error)
        }
    }

    /// The latest test, which may be over.
    package var walkTest: WalkTest? { walk.withLock { $0.test } }

    /// The lane is back in service: what contacts did meanwhile is told to it as something that nobody saw.
    func endWalkTest() {
        settle { $0.endTest() }
        // Whoever tells of a newer change waits here until the older ones are told.
        walk.withLock { walk in
            walk.isRunning = false
            let now = Instant(milliseconds: MonotonicTime.milliseconds)
            for (kind, state) in walk.withheld.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                post { $0.input(InputChange(kind, state, isFound: true), at: now) }
            }
            walk.withheld = [:]
        }
    }

    /// Lets the test that is under way see a change. True when nobody else must: whoever walks a test opens doors and
    /// presses buttons, which is no alarm and opens nothing. Fire, mains and the mode switch count all the same.
    func noteInTest(_ change: InputChange) -> Bool {
        let (test, isWithheld): (WalkTest?, Bool) = walk.withLock { walk in
            guard walk.isRunning else { return (nil, false) }
            guard change.kind.isWithheldInTest else { return (walk.test, false) }
            walk.withheld[change.kind] = change.state
            return (walk.test, true)
        }
        test?.note(change)
        return isWithheld
    }

    /// Energises a relay for a test. False when the lane is not under test any more, or the relay cannot be driven.
    func testRelay(_ direction: Direction, for milliseconds: Int64) -> Bool {
        var isTried = false
        let works = settle(mayEnergise: true) { lane in
            let actions = lane.testRelay(direction, for: milliseconds, at: Instant(milliseconds: MonotonicTime.milliseconds))
            isTried = !actions.isEmpty
            return actions
        }
        // The machine ends the pulse even if nobody else does.
        wakeTimekeeper()
        return works && isTried
    }

    /// De-energises what a test has energised.
    func deenergiseTestedRelay() {
        settle { $0.deenergiseTestedRelay() }
    }

    /// Exactly these indicators are on, and have been written.
    func showOnly(_ indicators: Set<LineName>) {
        self.indicators.hold(indicators)
        playIndicators(at: Instant(milliseconds: MonotonicTime.milliseconds))
    }

    /// What the chip says of an output.
    package func readBack(_ line: LineName) -> Result<Bool, LineError> {
        Loop.outside(.indicators(of: name)) { Result { () throws(LineError) in try bank.readBack(line) } }
    }

    /// Sets a line that operators switch; answers why it could not.
    func setOutput(_ line: LineName, _ active: Bool) -> LineError? {
        Loop.outside(.indicators(of: name)) {
            do throws(LineError) {
                try bank.set(line, active: active)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Why a line was not driven when that was last tried.
    func failure(of line: LineName) -> LineError? {
        outputs.withLock { $0.failures[line] }
    }
}

extension InputKind {
    /// Whether a lane that is tried hears of it at the end only.
    fileprivate var isWithheldInTest: Bool {
        switch self {
        case .passageIn, .passageOut, .requestToExit, .tamper, .readerTamper: true
        case .fire, .powerFail, .modeSwitch: false
        }
    }
}
