import Gate
import Testing

private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

private let phone = LinkIdentifier(1)

/// How near a phone must be before it is listened to: −60 dBm within 300 ms, and 5 dB less once it is near.
@Suite("Proximity (T5)") struct ProximityTests {
    let rules = RadioRules(mode: .onTouch([ProximityRule(lane: "main")]))

    /// Seen first at 0, and measured every 10 ms from then on.
    private func register(_ rules: RadioRules? = nil, hearing samples: [Int?] = []) -> LinkRegister {
        var register = LinkRegister(rules: rules ?? self.rules)
        #expect(register.opened(phone, at: at(0)) == [.measure(phone)])
        receive(&register, samples)
        return register
    }

    @discardableResult
    private func receive(_ register: inout LinkRegister, _ samples: [Int?], from start: Int64 = 10) -> [LinkAction] {
        samples.enumerated().flatMap { index, sample in
            register.strength(phone, SignalStrength(reported: sample), at: at(start + Int64(index) * 10))
        }
    }

    @Test func whatNoRadioMeasuresIsUnknown() {
        #expect(SignalStrength(reported: 127) == .unknown)
        #expect(SignalStrength(reported: nil) == .unknown)
        #expect(SignalStrength(reported: 21) == .unknown && SignalStrength(reported: -128) == .unknown)
        #expect(SignalStrength(reported: -1) == .dBm(-1) && SignalStrength(reported: 20) == .dBm(20))
        #expect(SignalStrength.unknown < .dBm(-127) && SignalStrength.dBm(-70) < .dBm(-60))
    }

    @Test func aPhoneThatIsNearIsAdmittedAtItsFirstMessage() {
        var register = register(hearing: [-50, -50, -50])
        #expect(register.sights == [LinkSight(link: phone, stage: .near, strength: .dBm(-50))])
        #expect(register.wrote(phone, at: at(40)) == [.admit(phone, lanes: ["main"]), .stopMeasuring(phone)])
        #expect(register.strength(phone, .dBm(-90), at: at(50)) == [], "its conversation has begun")
    }

    static let near = [-60, -59, -1], far = [-61, -75, 127]

    @Test(arguments: near) func theThresholdItselfIsNear(strength: Int) {
        var register = register(hearing: [strength, strength, strength])
        #expect(register.wrote(phone, at: at(40)).first == .admit(phone, lanes: ["main"]))
    }

    @Test(arguments: far) func whoeverIsFarIsRefusedAtTheEndOfTheWindow(strength: Int) {
        var register = register()
        #expect(register.wrote(phone, at: at(5)) == [], "it waits for the verdict")
        #expect(receive(&register, Array(repeating: strength, count: 28)) == [])
        #expect(register.nextChange == at(300))
        #expect(register.advance(to: at(299)) == [])
        #expect(register.advance(to: at(300)) == [.stopMeasuring(phone), .refuse(phone, .tooFar), .drop(phone, .tooFar)])
    }

    @Test func aStrengthThatWasMadeUpIsNotNearEither() {
        var register = register()
        for _ in 0..<3 { #expect(register.strength(phone, .dBm(127), at: at(10)) == []) }
        #expect(register.wrote(phone, at: at(20)) == [])
    }

    @Test func whoeverIsFarAndSaysNothingIsDroppedToo() {
        var register = register(hearing: [-75, -75, -75])
        #expect(register.advance(to: at(300)) == [.stopMeasuring(phone), .drop(phone, .tooFar)])
        #expect(register.wrote(phone, at: at(301)) == [.refuse(phone, .tooFar)], "it may not know yet")
    }

    @Test func whoeverIsNotMeasuredAtAllIsFar() {
        var register = register()
        _ = register.wrote(phone, at: at(0))
        #expect(register.advance(to: at(300)) == [.stopMeasuring(phone), .refuse(phone, .tooFar), .drop(phone, .tooFar)])
    }

    @Test func twoSamplesAreNoVerdict() {
        var register = register()
        _ = register.wrote(phone, at: at(0))
        #expect(receive(&register, [-40, -40]) == [])
        #expect(register.strength(phone, .dBm(-40), at: at(40)) == [.admit(phone, lanes: ["main"]), .stopMeasuring(phone)])
    }

    @Test func oneOutlierChangesNothing() {
        var register = register(hearing: [-75, -40, -75, -75, 127])
        _ = register.wrote(phone, at: at(60))
        #expect(receive(&register, [-40, -75, -75], from: 70) == [])
        var near = self.register(hearing: [-50, 127, -50, -50, -90])
        #expect(near.wrote(phone, at: at(60)).first == .admit(phone, lanes: ["main"]))
    }

    @Test func whoeverComesNearWithinTheWindowIsAdmittedThen() {
        var register = register(hearing: [-75, -75, -75])
        #expect(register.wrote(phone, at: at(35)) == [])
        #expect(receive(&register, [-55], from: 280) == [])
        #expect(register.strength(phone, .dBm(-55), at: at(299)) == [.admit(phone, lanes: ["main"]), .stopMeasuring(phone)])
    }

    @Test func whoeverComesNearAfterTheWindowIsRefused() {
        var register = register(hearing: [-75, -75, -75])
        _ = register.wrote(phone, at: at(35))
        _ = receive(&register, [-55], from: 280)
        #expect(register.strength(phone, .dBm(-55), at: at(300)) == [.stopMeasuring(phone), .refuse(phone, .tooFar), .drop(phone, .tooFar)])
        #expect(register.strength(phone, .dBm(-40), at: at(310)) == [])
    }

    /// The window begins at the first sight of the link: a phone that keeps silent gains no time by that.
    @Test func theWindowDoesNotWaitForAMessage() {
        var register = register(hearing: [-75, -75, -75])
        #expect(register.advance(to: at(300)).last == .drop(phone, .tooFar))
        #expect(register.wrote(phone, at: at(300)) == [.refuse(phone, .tooFar)])
    }

    @Test func wavingAroundTheThresholdIsOneVerdict() {
        var register = register(hearing: [-58, -58, -58])
        #expect(receive(&register, [-62, -62, -62, -58, -64, -65, -65, -65], from: 40) == [])
        #expect(register.sights.map(\.stage) == [.near])
        #expect(register.advance(to: at(1000)) == [])
        #expect(register.wrote(phone, at: at(1000)).first == .admit(phone, lanes: ["main"]), "near within the window, and near since")
    }

    @Test func whoeverWaversBelowTheThresholdWasNeverNear() {
        var register = register(hearing: [-61, -64, -62, -61, -65])
        #expect(register.wrote(phone, at: at(100)) == [])
        #expect(register.advance(to: at(300)).last == .drop(phone, .tooFar))
    }

    @Test func whoeverLeavesWithinTheWindowMayComeAgain() {
        var register = register(hearing: [-50, -50, -50, -66, -66])
        #expect(register.wrote(phone, at: at(65)) == [])
        #expect(receive(&register, [-59, -59], from: 70).first == .admit(phone, lanes: ["main"]))
    }

    @Test func whoeverLeavesAfterTheWindowIsGoneForGood() {
        var register = register(hearing: [-50, -50, -50])
        #expect(receive(&register, [-66], from: 400) == [])
        #expect(receive(&register, [-66], from: 410) == [.stopMeasuring(phone), .drop(phone, .tooFar)])
        #expect(receive(&register, [-40, -40, -40], from: 420) == [])
        #expect(register.wrote(phone, at: at(450)) == [.refuse(phone, .tooFar)])
    }

    // Several lanes --------------------------------------------------------------------------------

    private let two = RadioRules(mode: .onTouch([
        ProximityRule(lane: "left", threshold: -50, window: 600), ProximityRule(lane: "right", threshold: -60, window: 200)
    ]))

    @Test func eachLaneHasItsOwnThreshold() {
        var near = register(two, hearing: [-45, -45, -45])
        #expect(near.wrote(phone, at: at(40)).first == .admit(phone, lanes: ["left", "right"]))
        var further = register(two, hearing: [-55, -55, -55])
        #expect(further.wrote(phone, at: at(40)).first == .admit(phone, lanes: ["right"]))
    }

    @Test func eachLaneHasItsOwnWindow() {
        var register = register(two, hearing: [-70, -70, -70])
        #expect(register.nextChange == at(200))
        #expect(register.advance(to: at(200)) == [])
        _ = register.wrote(phone, at: at(210))
        #expect(receive(&register, [-55, -55, -55], from: 220) == [], "too late for the right lane")
        #expect(receive(&register, [-45, -45], from: 580) == [.admit(phone, lanes: ["left"]), .stopMeasuring(phone)])
    }

    @Test func theLastWindowIsTheEnd() {
        var register = register(two, hearing: [-70, -70, -70])
        _ = register.wrote(phone, at: at(210))
        #expect(register.nextChange == at(600))
        #expect(register.advance(to: at(600)) == [.stopMeasuring(phone), .refuse(phone, .tooFar), .drop(phone, .tooFar)])
    }

    // Classic --------------------------------------------------------------------------------------

    @Test func inClassicModeNobodyIsMeasured() {
        var register = LinkRegister(rules: RadioRules(mode: .classic(lanes: ["main", "side"])))
        #expect(register.opened(phone, at: at(0)) == [])
        #expect(register.strength(phone, .dBm(-90), at: at(10)) == [])
        #expect(register.wrote(phone, at: at(2000)) == [.admit(phone, lanes: ["main", "side"])])
    }

    // Reload ---------------------------------------------------------------------------------------

    @Test func newThresholdsAreForLinksThatComeThen() {
        var register = register(hearing: [-65, -65, -65])
        register.adopt(RadioRules(mode: .onTouch([ProximityRule(lane: "main", threshold: -70)])))
        #expect(register.wrote(phone, at: at(50)) == [])
        let second = LinkIdentifier(2)
        _ = register.opened(second, at: at(60))
        for time in [70, 80, 90] { _ = register.strength(second, .dBm(-65), at: at(Int64(time))) }
        #expect(register.wrote(second, at: at(100)).first == .admit(second, lanes: ["main"]))
    }

    @Test func theShortestWindowHasRoomForSeveralSamples() {
        for window in [100, 200, 300, 5000] {
            let rules = RadioRules(mode: .onTouch([ProximityRule(lane: "main", window: Int64(window)), ProximityRule(lane: "side", window: 5000)]))
            #expect(rules.samplingInterval * 5 <= Int64(window) && rules.samplingInterval >= 10)
        }
    }
}
