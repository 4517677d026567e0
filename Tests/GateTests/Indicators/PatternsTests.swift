import Testing
@testable import Gate

/// What a person perceives in steps of 100 ms: whether light is seen and whether the buzzer is heard.
private struct Perceived: Equatable {
    let indicator: Bool
    let sound: Bool
}

/// A person in front of a lane, who sees no colours.
private struct Observer {
    /// Steps of 100 ms after which everything is to be told from everything else: the time docs/lane.md names.
    static let patience = 20
    let wired: LampSet
    let sounds: Bool

    func perceives(_ signal: Signal, from phase: Int) -> [Perceived] {
        let player = PatternPlayer(Patterns.shipped(signal), since: Instant(milliseconds: 0))
        return (0..<Self.patience).map { step in
            let lamps = player.lamps(at: Instant(milliseconds: Int64(phase + step) * PatternStep.unit)).shown(with: wired)
            return Perceived(indicator: !lamps.isDisjoint(with: .colours), sound: sounds && lamps.contains(.buzzer))
        }
    }

    /// Every way in which somebody may meet a signal: what happens to a person is seen from its beginning, how the lane is
    /// from whenever one comes along.
    func meets(_ signal: Signal) -> [[Perceived]] {
        let pattern = Patterns.shipped(signal)
        let phases = signal.isTemporary ? 1 : Int(pattern.length / PatternStep.unit)
        return (0..<phases).map { perceives(signal, from: $0) }
    }

    /// The first two signals that look and sound alike to this person.
    func confuses(_ signals: [Signal] = Signal.allCases) -> (Signal, Signal)? {
        for (number, one) in signals.enumerated() {
            for other in signals[(number + 1)...] where meets(one).contains(where: meets(other).contains) { return (one, other) }
        }
        return nil
    }
}

extension Signal {
    /// What happens to the person in front of the lane, and not how the lane is.
    fileprivate var isTemporary: Bool {
        switch self {
        case .reading, .granted, .denied, .wait: true
        case .ready, .degraded, .lockedDown, .free, .closed, .alarm, .fault, .fire: false
        }
    }
}

@Suite("Patterns: told apart without colours (L2)") struct PatternsTests {
    @Test func anyTwoDifferWithinTwoSecondsToSomebodyWhoSeesNoColours() {
        #expect(Observer(wired: [.colours, .buzzer], sounds: true).confuses() == nil)
    }

    @Test func anyTwoDifferWithinTwoSecondsToSomebodyWhoAlsoHearsNothing() {
        #expect(Observer(wired: [.colours, .buzzer], sounds: false).confuses() == nil)
    }

    @Test func oneLightOfAnyColourIsEnough() {
        for wired: LampSet in [.red, .green, .blue, [.red, .green], [.red, .blue], [.green, .blue]] {
            #expect(Observer(wired: wired, sounds: false).confuses() == nil, "wired \(wired.lamps)")
        }
    }

    @Test func whatIsHeardDiffersByEarAlone() {
        let heard = Signal.allCases.filter { Patterns.shipped($0).lamps.contains(.buzzer) }
        #expect(heard == [.granted, .denied, .wait, .alarm, .fire])
        #expect(Observer(wired: .buzzer, sounds: true).confuses(heard) == nil)
    }

    @Test func whatHappensToSomebodyIsToldApartWithinHalfASecond() {
        let observer = Observer(wired: [.colours, .buzzer], sounds: false)
        let temporary = Signal.allCases.filter(\.isTemporary)
        let seen = temporary.map { Array(observer.perceives($0, from: 0).prefix(5).map(\.indicator)) }
        #expect(Set(seen).count == temporary.count)
    }

    @Test func theObserverWouldNoticeTwoThatAreAlike() {
        #expect(Observer(wired: .buzzer, sounds: false).confuses() != nil, "nobody tells darkness from darkness")
    }

    /// WCAG 2.2, 2.3.1: not more than three flashes within any second.
    @Test func nothingFlashesMoreThanThreeTimesInASecond() {
        for signal in Signal.allCases {
            let player = PatternPlayer(Patterns.shipped(signal), since: Instant(milliseconds: 0))
            let indicator = (0..<120).map { !player.lamps(at: Instant(milliseconds: $0 * PatternStep.unit)).isDisjoint(with: .colours) }
            let flashes = indicator.indices.filter { indicator[$0] && ($0 == 0 || !indicator[$0 - 1]) }
            for begin in indicator.indices {
                #expect(flashes.filter { $0 >= begin && $0 < begin + 10 }.count <= 3, "\(signal)")
            }
        }
    }

    @Test func everyShippedPatternIsOneThatAnInstallerCouldWrite() throws {
        for signal in Signal.allCases {
            let pattern = Patterns.shipped(signal)
            #expect(try Pattern(pattern.steps, repeats: pattern.repeats) == pattern)
            for step in pattern.steps { #expect(PatternStep(step.lamps, length: step.length) == step) }
            #expect(!pattern.steps[0].lamps.isEmpty, "\(signal): it can be seen from its first moment on")
        }
    }

    @Test func anOwnPatternStandsInPlaceOfTheShippedOne() throws {
        let own = try Pattern([try #require(PatternStep(.red, length: 100))], repeats: true)
        let patterns = Patterns(own: [.ready: own])
        #expect(patterns[.ready] == own)
        #expect(patterns[.fault] == Patterns.shipped(.fault))
    }

    @Test func aColourThatIsNotWiredIsReplacedByThoseThatAre() {
        #expect(LampSet.blue.shown(with: [.red, .green]) == [.red, .green])
        #expect(LampSet([.red, .buzzer]).shown(with: .green) == .green)
        #expect(LampSet([.red, .green]).shown(with: .red) == .red, "what is there is enough")
        #expect(LampSet.buzzer.shown(with: .red) == [], "a sound is no light")
        #expect(LampSet().shown(with: [.red, .green, .blue, .buzzer]) == [])
    }
}
