import Configuration
import Gate
import Testing

@testable import Controller
@testable import Lanes

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

/// Lines in memory that note every write.
private final class Board {
    var writes: [String] = []
    var broken: Set<String> = []

    func drive(_ line: String, _ active: Bool) -> Bool {
        writes.append((active ? "+" : "-") + line)
        return !broken.contains(line)
    }

    /// What was written since the last call.
    func drain() -> [String] {
        defer { writes = [] }
        return writes
    }
}

@Suite("Indicators of a lane: what is written, and when (L2)") struct LaneIndicatorsTests {
    private let board = Board()

    private func indicators(_ signal: Signal, since: Int64 = 0, patterns: Patterns = Patterns()) -> LaneIndicators {
        LaneIndicators(lamps: [.red: "red", .green: "green", .blue: "blue", .buzzer: "buzzer"],
                   steady: [.ready: "R", .granted: "G", .denied: "D", .fault: "F"],
                   shownSignal: ShownSignal(signal, since: at(since)), patterns: patterns)
    }

    @Test func onlyWhatChangesIsWrittenAndWhatGoesOutGoesFirst() {
        let indicators = indicators(.ready)
        #expect(indicators.play(at: at(0), board.drive))
        #expect(board.drain() == ["+R", "+blue"])
        #expect(indicators.play(at: at(5000), board.drive))
        #expect(board.drain() == [], "a steady signal writes nothing")
        indicators.show(ShownSignal(.denied, since: at(5000)), isReleased: false)
        _ = indicators.play(at: at(5010), board.drive)
        #expect(board.drain() == ["-R", "-blue", "+D", "+buzzer", "+red"])
        _ = indicators.play(at: at(5200), board.drive)
        #expect(board.drain() == ["-buzzer", "-red"])
        _ = indicators.play(at: at(5400), board.drive)
        #expect(board.drain() == ["+buzzer", "+red"])
    }

    @Test func whoComesLateWritesWhatIsOnThenAndNothingElse() {
        let indicators = indicators(.closed)
        _ = indicators.play(at: at(0), board.drive)
        _ = board.drain()
        _ = indicators.play(at: at(40_150), board.drive)
        #expect(board.drain() == ["-red"], "twenty rounds later it is dark")
    }

    @Test func aSecondRefusalBeginsAgain() {
        let indicators = indicators(.denied)
        _ = indicators.play(at: at(300), board.drive)
        #expect(board.drain() == ["+D"])
        indicators.show(ShownSignal(.denied, since: at(300)), isReleased: false)
        _ = indicators.play(at: at(300), board.drive)
        #expect(board.drain() == ["+buzzer", "+red"])
    }

    @Test func newPatternsHoldAtOnceAndKeepStep() throws {
        let indicators = indicators(.ready)
        _ = indicators.play(at: at(0), board.drive)
        _ = board.drain()
        let red = try #require(PatternStep(.red, length: 100)), dark = try #require(PatternStep([], length: 100))
        indicators.adopt(Patterns(own: [.ready: try Pattern([red, dark], repeats: true)]))
        _ = indicators.play(at: at(1_234), board.drive)
        #expect(board.drain() == ["-blue", "+red"], "1.234 s after its beginning it is at its first step")
        _ = indicators.play(at: at(1_300), board.drive)
        #expect(board.drain() == ["-red"])
    }

    @Test func whoTriesLinesHasThemForHimself() {
        let indicators = indicators(.ready)
        _ = indicators.play(at: at(0), board.drive)
        _ = board.drain()
        indicators.hold(["green"])
        indicators.show(ShownSignal(.denied, since: at(10)), isReleased: false)
        _ = indicators.play(at: at(20), board.drive)
        #expect(board.drain() == ["-R", "-blue", "+green"])
        indicators.hold([])
        _ = indicators.play(at: at(30), board.drive)
        #expect(board.drain() == ["-green"])
        indicators.hold(nil)
        _ = indicators.play(at: at(40), board.drive)
        #expect(board.drain() == ["+D", "+buzzer", "+red"])
    }

    @Test func aLineThatFailedIsLeftAloneUntilSomebodyRewritesIt() {
        let indicators = indicators(.alarm)
        board.broken = ["red"]
        #expect(!indicators.play(at: at(0), board.drive))
        _ = board.drain()
        #expect(indicators.play(at: at(300), board.drive), "what failed before is no news")
        #expect(board.drain() == ["-buzzer"])
        board.broken = []
        _ = indicators.play(at: at(600), board.drive)
        #expect(board.drain() == ["+buzzer"])
        #expect(indicators.rewrite("red", at: at(700), board.drive))
        #expect(board.drain() == ["+red"])
        _ = indicators.play(at: at(900), board.drive)
        #expect(board.drain() == ["-buzzer", "-red"])
    }

    @Test func aLineThatCameBackIsWrittenWhateverItWas() {
        let indicators = indicators(.ready)
        _ = indicators.play(at: at(0), board.drive)
        _ = board.drain()
        #expect(indicators.rewrite("blue", at: at(1), board.drive))
        #expect(indicators.rewrite("red", at: at(1), board.drive))
        #expect(board.drain() == ["+blue", "-red"])
        indicators.lose("blue")
        indicators.show(ShownSignal(.closed, since: at(1)), isReleased: false)
        _ = indicators.play(at: at(2), board.drive)
        #expect(board.drain() == ["-R", "+D", "+red"], "nobody knows how blue is")
    }

    @Test func oneLampTellsEverything() {
        let indicators = LaneIndicators(lamps: [.red: "red"], steady: [:], shownSignal: ShownSignal(.ready, since: at(0)))
        _ = indicators.play(at: at(0), board.drive)
        #expect(board.drain() == ["+red"])
        indicators.show(ShownSignal(.free, since: at(0)), isReleased: true)
        _ = indicators.play(at: at(900), board.drive)
        #expect(board.drain() == ["-red"])
    }

    @Test func everySignalHasItsIndicator() {
        let expected: [Signal: SteadyIndicator] = [
            .ready: .ready, .reading: .ready, .degraded: .ready, .granted: .granted, .free: .granted, .denied: .denied,
            .wait: .denied, .lockedDown: .denied, .closed: .denied, .fault: .fault, .alarm: .fault, .fire: .granted]
        for signal in Signal.allCases { #expect(SteadyIndicator(signal, isReleased: true) == expected[signal]) }
        #expect(SteadyIndicator(.fire, isReleased: false) == .denied, "nobody is sent to a gate that is shut")
    }

    @Test func settingsNameWhatThereIs() {
        #expect(SignalName.allCases.map(\.rawValue) == Signal.allCases.map(\.rawValue))
        #expect(Configuration.Indicator.lamps.map(\.rawValue) == Lamp.allCases.map(\.rawValue))
        #expect(Configuration.Indicator.steady.map(\.rawValue) == SteadyIndicator.allCases.map(\.rawValue))
        #expect(Int64(PatternStepSettings.lengths.upperBound) == PatternStep.longest)
        #expect(Int64(PatternStepSettings.unit) == PatternStep.unit)
        #expect(PatternSettings.mostSteps == Pattern.mostSteps)
    }

    @Test func ownPatternsComeFromTheConfiguration() throws {
        let settings = PatternSettings(steps: [PatternStepSettings(lamps: [.red, .buzzer], milliseconds: 200),
                                               PatternStepSettings(lamps: [], milliseconds: 300)], repeats: true)
        let pattern = Patterns([.lockedDown: settings])[.lockedDown]
        #expect(pattern.steps.map(\.lamps) == [[.red, .buzzer], []])
        #expect(pattern.steps.map(\.length) == [200, 300])
        #expect(pattern.repeats)
    }
}
