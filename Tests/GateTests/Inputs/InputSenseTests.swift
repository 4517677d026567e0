import Testing

@testable import Gate

@Suite struct InputSenseTests {
    static func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: milliseconds) }

    /// A fire loop of two lines, in order since time 0.
    static var fire: InputSense {
        var sense = InputSense(.fire, quiet: 20, isSupervised: true)
        _ = sense.receive(false, at: at(0), since: .found)
        _ = sense.receive(false, from: .counterpart, at: at(0), since: .found)
        _ = sense.advance(to: at(20))
        return sense
    }

    @Test func whatWasFoundIsToldAsFound() {
        var sense = InputSense(.requestToExit, quiet: 20)
        #expect(sense.state == nil)
        _ = sense.receive(true, at: Self.at(0), since: .found)
        let told = sense.advance(to: Self.at(20))
        #expect(told?.change == InputChange(.requestToExit, .active, isFound: true))
        #expect(told?.at == Self.at(20))
        #expect(sense.state == .active)
    }

    @Test func aSupervisedLoopThatIsWellIsToldOnce() {
        var sense = InputSense(.fire, quiet: 20, isSupervised: true)
        #expect(sense.receive(false, at: Self.at(0), since: .found) == nil)
        #expect(sense.receive(false, from: .counterpart, at: Self.at(1), since: .found) == nil)
        #expect(sense.advance(to: Self.at(21))?.change == InputChange(.fire, .inactive, isFound: true))
    }

    @Test func theChangeOverOfAContactIsNoCutWire() {
        var sense = Self.fire
        // The normally closed half opens 8 ms before the other one closes, and both bounce.
        for (time, main, counterpart) in [(100, true, false), (102, false, false), (103, true, false), (111, true, true), (113, true, false),
                                          (114, true, true)] as [(Int64, Bool, Bool)] {
            #expect(sense.receive(main, at: Self.at(time)) == nil)
            #expect(sense.receive(counterpart, from: .counterpart, at: Self.at(time)) == nil)
        }
        let told = sense.advance(to: Self.at(500))
        #expect(told?.change == InputChange(.fire, .active))
        #expect(told?.at == Self.at(134))
    }

    @Test(arguments: [(true, false, InputFault.cut), (false, true, .short)])
    func aBrokenLoopIsTold(main: Bool, counterpart: Bool, fault: InputFault) {
        var sense = Self.fire
        _ = sense.receive(main, at: Self.at(100))
        _ = sense.receive(counterpart, from: .counterpart, at: Self.at(100))
        #expect(sense.advance(to: Self.at(120))?.change == InputChange(.fire, .faulty(fault)))
        _ = sense.receive(false, at: Self.at(200))
        _ = sense.receive(false, from: .counterpart, at: Self.at(200))
        #expect(sense.advance(to: Self.at(220))?.change == InputChange(.fire, .inactive))
    }

    /// A contact that changes every `period` milliseconds, from time 0 on, for so long. What was told.
    private static func chatter(_ sense: inout InputSense, every period: Int64, from start: Int64 = 0, for duration: Int64) -> [Instant] {
        var told: [Instant] = []
        for time in start..<(start + duration) {
            if (time - start) % period == 0 {
                if let news = sense.receive((time - start) / period % 2 == 0, at: at(time)) { told.append(news.at) }
            }
            if let news = sense.advance(to: at(time)) { told.append(news.at) }
        }
        return told
    }

    @Test func aContactThatChattersIsToldTwiceInASecond() {
        var sense = InputSense(.passageIn, quiet: 20)
        let told = Self.chatter(&sense, every: 25, for: 100_000)
        #expect(told == told.sorted())
        // 200 at once, then one every 500 ms: of 4000 changes.
        #expect(told.count <= 400)
        #expect(told.count >= 300)
        #expect(sense.isChattering)
        // Calm: what it has come to in the end is told, and the warning goes.
        _ = sense.receive(true, at: Self.at(100_000))
        var last = sense.advance(to: Self.at(100_500))
        last = sense.advance(to: Self.at(101_000)) ?? last
        #expect(sense.state == .active)
        #expect(sense.nextChange == nil)
        _ = sense.advance(to: Self.at(200_000))
        #expect(!sense.isChattering)
        #expect(Self.chatter(&sense, every: 1000, from: 300_000, for: 100_000).count == 99, "nothing is held back any more")
    }

    /// Once a second for ever a door would open by a loose wire.
    @Test func anExitButtonThatChattersOpensNothingUntilItIsCalm() {
        var sense = InputSense(.requestToExit, quiet: 20)
        var told: [InputChange] = []
        for time in Int64(0)..<600_000 {
            if time % 25 == 0, let news = sense.receive(time / 25 % 2 == 0, at: Self.at(time)) { told.append(news.change) }
            if let news = sense.advance(to: Self.at(time)) { told.append(news.change) }
        }
        #expect(told.count <= 400 && told.last == InputChange(.requestToExit, .faulty(.chatters)))
        #expect(sense.state == .faulty(.chatters) && sense.isChattering)
        // Pressed at last, and calm.
        _ = sense.receive(true, at: Self.at(600_000))
        #expect(sense.advance(to: Self.at(600_020)) == nil)
        let next = sense.nextChange
        #expect(next.map { $0 > Self.at(640_000) && $0 < Self.at(660_000) } ?? false)
        let calm = next.flatMap { sense.advance(to: $0) }
        #expect(calm?.change == InputChange(.requestToExit, .active, isFound: true), "nobody has pressed it just now")
        #expect(!sense.isChattering)
        _ = sense.receive(false, at: Self.at(700_000))
        #expect(sense.advance(to: Self.at(700_020))?.change == InputChange(.requestToExit, .inactive))
        _ = sense.receive(true, at: Self.at(701_000))
        #expect(sense.advance(to: Self.at(701_020))?.change == InputChange(.requestToExit, .active), "and works again")
    }

    /// What a fire contact has told that changes every 7 ms, and rests for 30 ms after each 50th change, where it is closed.
    private static func bounce(_ sense: inout InputSense, from start: Int64, for duration: Int64, endingAt rest: Bool) -> [String] {
        var told: [String] = []
        func note(_ news: (change: InputChange, at: Instant)?) { if let news { told.append("\(news.at.milliseconds) \(news.change.state.word)") } }
        var time = start, isActive = true, edges = 0
        while time < start + duration {
            note(sense.receive(isActive, at: at(time)))
            note(sense.advance(to: at(time)))
            edges += 1
            time += edges % 50 == 0 && !isActive ? 30 : 7
            isActive.toggle()
        }
        note(sense.receive(rest, at: at(start + duration)))
        for _ in 0..<10 { if let next = sense.nextChange { note(sense.advance(to: next)) } }
        return told
    }

    @Test func aFireContactThatBouncesForEverIsAFaultUntilItIsCalm() {
        for isFoundFirst in [true, false] {
            var sense = InputSense(.fire, quiet: 20)
            if isFoundFirst {
                _ = sense.receive(false, at: Self.at(0), since: .found)
                _ = sense.advance(to: Self.at(20))
            }
            let told = Self.bounce(&sense, from: 10_000, for: 60_000, endingAt: false)
            let others = told.filter { !$0.hasSuffix(" inactive") }
            #expect(others.count == 1 && others[0].hasPrefix("1300") && others[0].hasSuffix(" chatters"), "found first: \(isFoundFirst)")
            #expect(told.last == "71000 inactive", "calm for a second")
            #expect(sense.state == .inactive && sense.nextChange == nil)
        }
    }

    @Test func aFireBehindALooseWireIsAFire() {
        var sense = InputSense(.fire, quiet: 20)
        let told = Self.bounce(&sense, from: 0, for: 10_000, endingAt: true)
        #expect(told.suffix(2) == ["3005 chatters", "10020 active"])
        // The wire is as loose afterwards: what releases the lane stays.
        #expect(!Self.bounce(&sense, from: 20_000, for: 10_000, endingAt: true).contains { $0.hasSuffix(" inactive") && !$0.hasPrefix("20") })
    }

    @Test func aFireContactThatIsTriedSlowlyIsNoFault() {
        var sense = InputSense(.fire, quiet: 20)
        var told: Set<InputState> = []
        for second in Int64(0)..<60 { _ = sense.receive(second % 4 == 0, at: Self.at(second * 2000)).map { told.insert($0.change.state) } }
        #expect(told == [.active, .inactive])
    }

    @Test func aBusyTurnstileNeverChatters() {
        var sense = InputSense(.passageIn, quiet: 20)
        // A person every 1.1 s for an hour.
        #expect(Self.chatter(&sense, every: 550, for: 3_600_000).count == 3_600_000 / 550 + 1)
        #expect(!sense.isChattering)
    }

    @Test func aLineThatIsAwayForAMomentIsNoEvent() {
        var sense = Self.fire
        #expect(sense.receive(nil, at: Self.at(100)) == nil)
        #expect(sense.advance(to: Self.at(3099)) == nil)
        #expect(sense.receive(false, at: Self.at(3099), since: .found) == nil)
        #expect(sense.advance(to: Self.at(9000)) == nil)
    }

    @Test func aLineThatStaysAwayIsAFaultUntilItIsBack() {
        var sense = Self.fire
        _ = sense.receive(nil, from: .counterpart, at: Self.at(100))
        #expect(sense.advance(to: Self.at(3100))?.change == InputChange(.fire, .faulty(.unseen)))
        #expect(sense.receive(true, from: .counterpart, at: Self.at(5000), since: .found) == nil)
        let told = sense.advance(to: Self.at(5020))
        #expect(told?.change == InputChange(.fire, .faulty(.short), isFound: true), "what it is now was not seen to begin")
    }
}
