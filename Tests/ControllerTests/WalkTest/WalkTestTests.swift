import Configuration
import Credentials
import Encoding
import Gate
import Lines
import Service
import Testing
import Threads
import Waits

@testable import Controller
@testable import Lanes

/// Lines in memory of which some do not do what they are told.
private final class StubbornBank: LineBank {
    private let bank: SimulatedLineBank
    /// Lines that say the same whatever is written.
    private let stuck: [LineName: Bool]

    init(_ bank: SimulatedLineBank, stuck: [LineName: Bool]) {
        self.bank = bank
        self.stuck = stuck
    }

    var faults: [LineName: LineError] { bank.faults }
    var foundActive: Set<LineName> { bank.foundActive }
    func set(_ line: LineName, active: Bool) throws(LineError) { try bank.set(line, active: active) }
    func read(_ line: LineName) throws(LineError) -> Bool { try bank.read(line) }
    func readBack(_ line: LineName) throws(LineError) -> Bool {
        if let level = stuck[line] { return level }
        return try bank.readBack(line)
    }
    func release() { bank.release() }
}

/// A lane with everything that can be wired, its threads at work.
private final class Fixture: Sendable {
    static let timing = WalkTiming(relay: 300, indicator: 20, output: 20, gap: 5, input: 60, patience: 60_000)
    static let outputs = [
        WalkStep(kind: .relay(.in), name: "relay", line: "relay", isSimulated: true),
        WalkStep(kind: .indicator, name: "red", line: "red", isSimulated: true),
        WalkStep(kind: .indicator, name: "buzzer", line: "buzzer", isSimulated: true),
        WalkStep(kind: .indicator, name: "granted", line: "granted", isSimulated: true),
        WalkStep(kind: .output, name: "lamp", line: "main:lamp", isSimulated: true)]
    static let input = WalkStep(kind: .input(.passageIn), name: "passage-in", line: nil, isSimulated: true)

    let bank: SimulatedLineBank
    let lane: LaneRunner
    let moves = Monitor<[String]>([])
    private let indicatorThread: IndicatorThread
    private let timekeeper: Timekeeper
    private let logs: LogOutput
    private let loops = Loops()
    /// How the test ended, once it has.
    let ended = Monitor<(end: WalkEnd, results: [WalkResult])?>(nil)

    init(stuck: [LineName: Bool] = [:]) throws {
        let names = ["relay", "red", "buzzer", "granted", "main:lamp"]
        let moves = self.moves
        bank = SimulatedLineBank(
            names.enumerated().map { LineRequest(name: $1, chip: "simulated", line: .offset(UInt32($0))) },
            observer: { line, active, _ in moves.withLock { $0.append((active ? "+" : "-") + line) } })
        logs = try LogOutput(LogSettings()) { _ in }
        var rules = LaneRules(pulse: 500, cooldownAfterSuccess: 0, cooldownAfterFailure: 0, display: 1000)
        rules.alarmTime = 0
        let lane = LaneRunner(
            name: "main", rules: rules,
            lines: LaneLines(relay: "relay", lamps: [.red: "red", .buzzer: "buzzer"], steady: [.granted: "granted"]),
            bank: StubbornBank(bank, stuck: stuck), events: EventHub(clock: SystemClock(directory: nil)), log: logs.log("lines"),
            onFailure: {})
        self.lane = lane
        indicatorThread = IndicatorThread(lane: "main", indicators: lane.indicators, loops: loops, play: { lane.playIndicators(at: $0) })
        timekeeper = Timekeeper(lane: lane, loops: loops, isJournalFailing: { false })
        try indicatorThread.start()
        try timekeeper.start()
    }

    deinit {
        timekeeper.stop()
        indicatorThread.stop()
        logs.stop()
    }

    func begin(_ steps: [WalkStep], timing: WalkTiming = Fixture.timing) throws -> WalkTest {
        try lane.beginWalkTest(steps, timing: timing, loops: loops) { [ended] end, results in ended.change { $0 = (end, results) } }
    }

    func waitForEnd(line: Int = #line) throws -> (end: WalkEnd, results: [WalkResult]) {
        try ended.wait(for: "the end of the walk test", line: line) { $0 }
    }

    func reserve() -> LaneReservation {
        lane.reserve(.in, for: .nfc, at: Instant(milliseconds: MonotonicTime.milliseconds))
    }
}

@Suite("Walk test: what is wired is tried, and nothing stays on (O2)") struct WalkTestTests {
    @Test func everythingIsTriedOneAfterTheOther() throws {
        let fixture = try Fixture()
        _ = try fixture.begin(Fixture.outputs)
        let (end, results) = try fixture.waitForEnd()
        #expect(end == .done)
        #expect(results.map(\.verdict) == [.ok, .ok, .ok, .ok, .ok])
        #expect(results.map(\.observed) == ["energised, then de-energised", "on, then off", "sounds, then silent", "on, then off",
                                            "the other way, then back"])
        let moves = fixture.moves.withLock { $0 }
        // Before and after them the lane shows its signal, with the one lamp it has.
        let tried = moves.drop { $0 != "+relay" }
        #expect(Array(tried.filter { $0 != "+red" && $0 != "-red" }.prefix(8)) == [
            "+relay", "-relay", "+buzzer", "-buzzer", "+granted", "-granted", "+main:lamp", "-main:lamp"])
        #expect(fixture.reserve().condition == .clear, "the lane is back in service")
    }

    @Test func nobodyPassesMeanwhile() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.input], timing: WalkTiming(input: 60_000, patience: 60_000))
        #expect(fixture.reserve().condition == .closed)
        #expect(throws: WalkRefusal.running) { try fixture.begin([Fixture.input]) }
        test.stop(.stopped)
        #expect(try fixture.waitForEnd().end == .stopped)
        #expect(fixture.reserve().condition == .clear)
        #expect(throws: WalkRefusal.lane(.busy)) { try fixture.begin([Fixture.input]) }
    }

    @Test func aLineThatCannotBeDrivenIsNamedAndTheOthersAreTried() throws {
        let fixture = try Fixture()
        let error = LineError.failed(doing: "Setting", errno: 5)
        for line in ["relay", "red", "main:lamp"] { fixture.bank.fail(line, with: error) }
        _ = try fixture.begin(Fixture.outputs)
        let results = try fixture.waitForEnd().results
        #expect(results.map(\.verdict) == [.failed, .failed, .ok, .ok, .failed])
        #expect(results.compactMap(\.code) == ["line-failed", "line-failed", "line-failed"])
    }

    @Test func aLineThatDoesNotDoWhatItIsToldIsWrong() throws {
        let fixture = try Fixture(stuck: ["relay": true, "red": false, "main:lamp": false])
        _ = try fixture.begin(Fixture.outputs)
        let results = try fixture.waitForEnd().results
        #expect(results.map(\.verdict) == [.wrong, .wrong, .ok, .ok, .wrong])
        #expect(results.filter { $0.verdict == .wrong }.map(\.observed) == ["energised, then energised", "off, then off", "off, then off"])
    }

    @Test func aSwitchedLineIsAsItWasBefore() throws {
        let fixture = try Fixture()
        try fixture.bank.set("main:lamp", active: true)
        _ = try fixture.begin(Array(Fixture.outputs.suffix(1)))
        #expect(try fixture.waitForEnd().results.map(\.verdict) == [.ok])
        #expect(fixture.bank.isActive("main:lamp") == true)
        #expect(fixture.moves.withLock { $0.filter { $0.hasSuffix("lamp") } } == ["+main:lamp", "-main:lamp", "+main:lamp"])
    }

    @Test func aContactIsWaitedFor() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.input], timing: WalkTiming(gap: 5, input: 60_000, patience: 60_000))
        try waitUntil("the first step") { test.follow(after: 0)["current"] != nil }
        fixture.lane.input(InputChange(.passageIn, .active), at: Instant(milliseconds: MonotonicTime.milliseconds))
        let results = try fixture.waitForEnd().results
        #expect(results.map(\.verdict) == [.ok])
        #expect(results[0].observed.hasPrefix("active after "))
    }

    @Test func aFireAlarmThatIsTriedTakesTheLane() throws {
        let fixture = try Fixture()
        let fire = WalkStep(kind: .input(.fire), name: "fire", line: nil, isSimulated: true)
        let test = try fixture.begin([Fixture.outputs[1], fire], timing: WalkTiming(indicator: 5, gap: 5, input: 60_000, patience: 60_000))
        try waitUntil("the step of the fire alarm") { test.follow(after: 0)["current"] } fits: { $0?["name"] == "fire" }
        fixture.lane.input(InputChange(.fire, .active), at: Instant(milliseconds: MonotonicTime.milliseconds))
        let (end, results) = try fixture.waitForEnd()
        #expect(end == .done, "it was the last step")
        #expect(results.map(\.verdict) == [.ok, .ok])
        #expect(fixture.lane.ask(\.indicator) == .fire)
    }

    @Test func aFireAlarmEndsTheTest() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.outputs[0], Fixture.outputs[1]], timing: WalkTiming(relay: 1000, patience: 60_000))
        try waitUntil("the relay energised") { fixture.bank.isActive("relay") == true }
        fixture.lane.input(InputChange(.fire, .active), at: Instant(milliseconds: MonotonicTime.milliseconds))
        let (end, results) = try fixture.waitForEnd()
        #expect(end == .overridden)
        #expect(results.isEmpty)
        test.waitForEnd(byMonotonicMilliseconds: WaitLimit.deadline)
        #expect(fixture.bank.isActive("relay") == true, "fire holds it open")
        #expect(throws: WalkRefusal.lane(.open)) { try fixture.begin([Fixture.outputs[0]]) }
    }

    @Test func whatContactsDoMeanwhileIsNoAlarm() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.input], timing: WalkTiming(gap: 5, input: 60_000, patience: 60_000))
        try waitUntil("the first step") { test.follow(after: 0)["current"] != nil }
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        fixture.lane.input(InputChange(.tamper, .active), at: now)
        fixture.lane.input(InputChange(.requestToExit, .active), at: now)
        #expect(fixture.lane.ask(\.state) == .closed)
        #expect(fixture.bank.isActive("relay") == false)
        test.stop(.stopped)
        _ = try fixture.waitForEnd()
        #expect(fixture.lane.ask(\.state) == .alarm(.tamper), "the housing is still open")
        #expect(fixture.bank.isActive("relay") == false, "nobody pressed the button now")
    }

    @Test func theNewestWordOfAContactIsTheLast() throws {
        let fixture = try Fixture()
        for _ in 0..<200 {
            let contact = try Worker(name: "contact") {
                let now = Instant(milliseconds: MonotonicTime.milliseconds)
                fixture.lane.input(InputChange(.tamper, .active), at: now)
                fixture.lane.input(InputChange(.tamper, .inactive), at: now)
            }
            _ = try fixture.begin([])
            _ = try fixture.waitForEnd()
            fixture.ended.change { $0 = nil }
            try contact.waitForEnd()
        }
        fixture.lane.advance(to: Instant(milliseconds: MonotonicTime.milliseconds + 1))
        #expect(fixture.lane.ask(\.state) == .idle, "the housing was closed last")
    }

    @Test func aContactThatNobodyMovesIsNotSeen() throws {
        let fixture = try Fixture()
        _ = try fixture.begin([Fixture.input])
        #expect(try fixture.waitForEnd().results.map(\.verdict) == [.unseen])
    }

    @Test func twoContactsThatAreMixedUpAreTold() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.input])
        try waitUntil("the first step") { test.follow(after: 0)["current"] != nil }
        fixture.lane.input(InputChange(.passageOut, .active), at: Instant(milliseconds: MonotonicTime.milliseconds))
        let results = try fixture.waitForEnd().results
        #expect(results.map(\.verdict) == [.wrong])
        #expect(results[0].observed == "passage-out became active instead")
    }

    @Test func aContactCanBeLeftOut() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.input, Fixture.outputs[1]], timing: WalkTiming(indicator: 5, gap: 5, input: 60_000, patience: 60_000))
        let verdicts = try waitUntil("the end of the walk test") {
            test.skip()
            return fixture.ended.withLock { $0?.results.map(\.verdict) ?? [] }
        } fits: { !$0.isEmpty }
        #expect(verdicts == [.skipped, .ok], "only what is waited for is left out")
    }

    @Test func whoeverGoesAwayLeavesNothingOn() throws {
        let fixture = try Fixture()
        let long = WalkTiming(relay: 60_000, indicator: 60_000, patience: 50)
        for step in [Fixture.outputs[0], Fixture.outputs[1]] {
            _ = try fixture.begin([step], timing: long)
            let (end, results) = try fixture.waitForEnd()
            #expect(end == .abandoned)
            #expect(results.isEmpty)
            #expect(fixture.bank.isActive("relay") == false)
            let reservation = fixture.reserve()
            #expect(reservation.condition == .clear)
            fixture.lane.giveBack(reservation)
            fixture.ended.change { $0 = nil }
        }
    }

    @Test func theEndOfTheGateIsTheEndOfTheTest() throws {
        let fixture = try Fixture()
        let test = try fixture.begin([Fixture.outputs[0]], timing: WalkTiming(relay: 60_000, patience: 60_000))
        try waitUntil("the relay energised") { fixture.bank.isActive("relay") == true }
        test.stop(.gateStops)
        test.waitForEnd(byMonotonicMilliseconds: WaitLimit.deadline)
        #expect(fixture.ended.withLock { $0?.end } == .gateStops)
        #expect(fixture.bank.isActive("relay") == false)
    }

    @Test func aRelayIsDeenergisedThoughTheTestHangs() throws {
        let fixture = try Fixture()
        // What a test does first, and then nobody goes on.
        let now = Instant(milliseconds: MonotonicTime.milliseconds)
        _ = try fixture.lane.change { lane in (Result { () throws(LaneRefusal) in try lane.beginTest(at: now) }, []) }.get()
        #expect(fixture.lane.testRelay(.in, for: 20))
        try waitUntil("the relay de-energised") { fixture.bank.isActive("relay") != true }
        #expect(fixture.moves.withLock { $0.filter { $0.hasSuffix("relay") } } == ["+relay", "-relay"])
    }

    @Test func whatIsToldCanBeReadByAProgram() throws {
        let fixture = try Fixture()
        let test = try fixture.begin(Array(Fixture.outputs.prefix(2)))
        _ = try fixture.waitForEnd()
        test.waitForEnd(byMonotonicMilliseconds: WaitLimit.deadline)
        let told = test.follow(after: 1)
        #expect(told["ended"]?.string == "done")
        #expect(told["steps"]?.integer == 2)
        #expect(told["results"]?.array == [[
            "step": 2, "kind": "indicator", "name": "red", "line": "red", "expected": "on, then off", "observed": "on, then off",
            "result": "ok", "simulated": true]])
    }

    @Test func allThatIsWiredIsTriedAndFireLast() throws {
        let text = """
            [site]
            id = "hill"
            [gate]
            id = "gate-1"
            signing-key = "/keys/sign"
            [trust]
            root = "/keys/root.json"
            [inputs.fire]
            chip = "gpiochip0"
            line = 9
            [inputs.tamper]
            chip = "gpiochip0"
            line = 10
            [[lane]]
            name = "entry"
            [lane.relay]
            chip = "gpiochip0"
            line = 1
            [lane.relay-out]
            chip = "gpiochip0"
            line = 2
            [lane.indicators.fault]
            chip = "gpiochip0"
            line = 3
            [lane.indicators.red]
            chip = "gpiochip0"
            line = 4
            [[lane.output]]
            name = "camera"
            chip = "simulated"
            line = 5
            [lane.inputs.reader-tamper]
            chip = "gpiochip0"
            line = 6
            [lane.inputs.passage-in]
            chip = "gpiochip0"
            line = 7
            [[reader]]
            name = "in"
            lane = "entry"
            match = { serial = "A1" }
            """
        let configuration = try ConfigurationFile.parse(Array(text.utf8), name: "t").configuration
        let steps = WalkStep.all(of: configuration.lanes[0], in: configuration, withInputs: true)
        #expect(steps.map(\.name) == ["relay", "relay-out", "fault", "red", "camera", "passage-in", "reader-tamper", "tamper", "fire"])
        #expect(steps.map(\.line) == ["entry-relay", "entry-relay-out", "entry-fault", "entry-red", "entry:camera", nil, nil, nil, nil])
        #expect(steps.map(\.isSimulated) == [false, false, false, false, true, false, false, false, false])
        #expect(WalkStep.all(of: configuration.lanes[0], in: configuration, withInputs: false).count == 5)
    }
}
