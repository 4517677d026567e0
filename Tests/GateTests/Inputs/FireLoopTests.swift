import Testing

@testable import Gate

@Suite struct FireLoopTests {
    static func loop(_ main: Bool?, _ counterpart: Bool?, isSupervised: Bool = true) -> FireLoop {
        var loop = FireLoop(isSupervised: isSupervised)
        loop.main = main
        loop.counterpart = counterpart
        return loop
    }

    @Test func oneLineCannotTellAnAlarmFromABrokenWire() {
        #expect(Self.loop(false, nil, isSupervised: false).state == .inactive)
        #expect(Self.loop(true, nil, isSupervised: false).state == .active)
    }

    @Test func ofAChangeOverContactExactlyOneHalfIsClosed() {
        #expect(Self.loop(false, false).state == .inactive)
        #expect(Self.loop(true, true).state == .active)
    }

    @Test func bothHalvesOpenIsACutAndBothClosedIsAShort() {
        #expect(Self.loop(true, false).state == .faulty(.cut))
        #expect(Self.loop(false, true).state == .faulty(.short))
    }

    @Test func aHalfThatCannotBeReadSaysNothing() {
        #expect(FireLoop(isSupervised: false).state == .faulty(.unseen))
        for (main, counterpart) in [(nil, nil), (nil, true), (false, nil), (true, nil)] as [(Bool?, Bool?)] {
            #expect(Self.loop(main, counterpart).state == .faulty(.unseen))
        }
    }

    @Test func wordsDiffer() {
        let states: [InputState] = [.inactive, .active, .faulty(.cut), .faulty(.short), .faulty(.unseen)]
        #expect(states.map(\.word) == ["inactive", "active", "cut", "short", "unseen"])
    }
}
