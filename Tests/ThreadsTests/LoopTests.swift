import Testing
import Waits

@testable import Threads

/// What a loop declares and what follows from it. The verdict is pure: time is an argument.
@Suite("Loops") struct LoopTests {
    static let slow = OutsideCall("the disk", .fault(afterMilliseconds: 5000), remedy: "Look at it.")
    static let relay = OutsideCall("the relay", .restart(afterMilliseconds: 5000))
    static let driver = OutsideCall("a driver", .watchedElsewhere)

    @Test("Our own code comes round within the limit, and a waiting loop wakes within it",
          arguments: [LoopState.running(since: 1000), .waiting(since: 1000)])
    func limit(state: LoopState) {
        #expect(state.verdict(at: 1000, limit: 1250) == .fine)
        #expect(state.verdict(at: 2250, limit: 1250) == .fine)
        let why = state == .running(since: 1000) ? "does not come round" : "does not wake"
        #expect(state.verdict(at: 2251, limit: 1250) == .stuck(why, milliseconds: 1251))
    }

    @Test("Time in which the process as a whole did not run counts for nobody")
    func amnesty() {
        #expect(LoopState.running(since: 1000).verdict(at: 9000, limit: 1250, amnesty: 8000) == .fine)
        #expect(LoopState.running(since: 1000).verdict(at: 9251, limit: 1250, amnesty: 8000) != .fine)
        #expect(LoopState.waiting(since: 1000).verdict(at: 9000, limit: 1250, amnesty: 8000) == .fine)
    }

    @Test("A call outside has a bound of its own, and only some are a reason for a restart")
    func outside() {
        let hour: Int64 = 3_600_000
        #expect(LoopState.outside(Self.slow, since: 0).verdict(at: 5000, limit: 1250) == .fine)
        #expect(LoopState.outside(Self.slow, since: 0).verdict(at: hour, limit: 1250) == .delayed(Self.slow, milliseconds: hour))
        #expect(LoopState.outside(Self.relay, since: 0).verdict(at: 5000, limit: 1250) == .fine)
        #expect(LoopState.outside(Self.relay, since: 0).verdict(at: 5001, limit: 1250) == .stuck("waits for the relay", milliseconds: 5001))
        #expect(LoopState.outside(Self.driver, since: 0).verdict(at: hour, limit: 1250) == .fine)
    }

    @Test("A loop is one from the start of its thread to its end")
    func life() throws {
        let loops = Loops()
        let hold = Monitor(true)
        let worker = try Worker(name: "giver", loops: loops) { loop in hold.wait(loop) { $0 ? nil : () } }
        #expect(loops.states.map(\.name) == ["giver"])
        hold.change { $0 = false }
        try worker.waitForEnd()
        #expect(loops.states.isEmpty)
    }

    @Test("A loop that waits for its work wakes to say so, and is asked for work each time")
    func waiting() throws {
        let loops = Loops(limit: 10)
        let asked = Monitor(0)
        let worker = try Worker(name: "idler", loops: loops) { loop in
            asked.waitForStep(loop) { count in
                count += 1
                return count > 4 ? .proceed(()) : .wait(until: nil)
            }
        }
        try worker.waitForEnd()
        #expect(asked.withLock { $0 } == 5, "nobody else woke it")
    }

    @Test("What runs on the loop's thread declares its calls outside; a call inside a call is part of it")
    func nesting() throws {
        let loops = Loops()
        let seen = Monitor<[LoopState]>([])
        let worker = try Worker(name: "caller", loops: loops) { loop in
            Loop.outside(Self.slow) {
                seen.withLock { $0.append(loop.state) }
                Loop.outside(Self.driver) { seen.withLock { $0.append(loop.state) } }
            }
            seen.withLock { $0.append(loop.state) }
        }
        try worker.waitForEnd()
        let names = seen.withLock { $0 }.map { state in
            switch state {
            case .running: "running"
            case .waiting: "waiting"
            case .outside(let call, _): call.name
            }
        }
        #expect(names == ["the disk", "the disk", "running"])
    }

    @Test("On a thread that is no loop's, a call is only made; its error comes through")
    func elsewhere() {
        #expect(Loop.current == nil)
        #expect(Loop.outside(Self.slow) { 7 } == 7)
        #expect(throws: SystemError("x", 1)) {
            try Loop.outside(Self.slow) { () throws(SystemError) in throw SystemError("x", 1) }
        }
    }
}
