@testable import Configuration
import Testing

@Suite("Inputs, the second relay and switched lines")
struct InputTests {
    static func parse(_ more: String) throws -> LoadedConfiguration {
        try ConfigurationFile.parse(Array((Sample.smallest + "\n" + more).utf8), name: "t.toml")
    }

    static func marks(_ more: String) -> [String] { IssueTests.marks(lane(more)) }

    /// The smallest configuration with more tables in its lane, from line 15 on.
    static func lane(_ more: String) -> String {
        Sample.smallest.replacing("[[reader]]", with: more + "\n[[reader]]")
    }

    static func load(_ more: String) throws -> LaneSettings {
        let loaded = try ConfigurationFile.parse(Array(lane(more).utf8), name: "t.toml")
        #expect(loaded.warnings == [])
        return try #require(loaded.configuration.lanes.first)
    }

    @Test("What is not said of an input has its default; a fire loop is normally closed")
    func defaults() throws {
        let lane = try Self.load("""
            [lane.inputs.passage-in]
            chip = "gpiochip0"
            line = 5
            [lane.inputs.fire]
            chip = "gpiochip0"
            line = "FIRE"
            """)
        let passage = try #require(lane.inputs[.passageIn])
        #expect(passage == InputSettings(chip: "gpiochip0", line: .offset(5), closed: .low, normally: .open, bias: .asIs,
                                         debounceMilliseconds: 20))
        #expect(passage.active == .low)
        let fire = try #require(lane.inputs[.fire])
        #expect(fire.normally == .closed)
        #expect(fire.active == .high, "an open loop is pulled up: an alarm")
        #expect(lane.inputs.all.map(\.name) == [.passageIn, .fire])
    }

    @Test("Both polarities of both kinds of contact", arguments: [
        (ActiveLevel.low, NormalContact.open, ActiveLevel.low), (.high, .open, .high), (.low, .closed, .high), (.high, .closed, .low)
    ])
    func polarity(closed: ActiveLevel, normally: NormalContact, active: ActiveLevel) {
        let input = InputSettings(chip: "c", line: .offset(0), closed: closed, normally: normally, bias: .off, debounceMilliseconds: 20)
        #expect(input.active == active)
    }

    @Test("A second relay and lines for operators")
    func outputs() throws {
        let lane = try Self.load("""
            [lane.relay-out]
            chip = "gpiochip0"
            line = 18
            active = "low"
            pulse-ms = 900
            [[lane.output]]
            name = "lamp"
            chip = "gpiochip0"
            line = 19
            [[lane.output]]
            name = "siren"
            chip = "gpiochip0"
            line = 20
            restore = true
            """)
        #expect(lane.relayOut == RelaySettings(output: OutputSettings(chip: "gpiochip0", line: .offset(18), active: .low), pulseMilliseconds: 900))
        #expect(lane.outputs.map(\.purpose) == ["relay", "relay-out"])
        #expect(lane.lineOutputs.map(\.name) == ["lamp", "siren"])
        #expect(lane.lineOutputs.map(\.restore) == [false, true])
    }

    @Test("A line serves one thing, whoever uses it and however its chip is written")
    func usedTwice() {
        let text = Self.lane("""
            [lane.relay-out]
            chip = "/dev/gpiochip0"
            line = 17
            [lane.inputs.tamper]
            chip = "gpiochip0"
            line = 17
            [[lane.output]]
            name = "lamp"
            chip = "gpiochip0"
            line = 17
            [lane.indicators.ready]
            chip = "gpiochip1"
            line = 17
            [inputs.fire]
            chip = "gpiochip1"
            line = 17
            """) + """

            [[lane]]
            name = "exit"
            relay = { chip = "gpiochip1", line = 17 }
            [[reader]]
            name = "out"
            lane = "exit"
            match = { serial = "A2" }
            """
        #expect(IssueTests.marks(text) == [
            "15:8 line-used-twice", "18:8 line-used-twice", "22:8 line-used-twice", "28:8 line-used-twice", "35:38 line-used-twice"
        ])
        #expect(IssueTests.issues(text).first?.message == "lane[1].relay-out uses the same line of \"/dev/gpiochip0\" as lane[1].relay (line 12).")
        #expect(IssueTests.issues(text).last?.message == "lane[2].relay uses the same line of \"gpiochip1\" as lane[1].indicators.ready (line 25).")
    }

    @Test("Everything that is wrong with contacts is said at once")
    func allAtOnce() {
        let text = Self.lane("""
            [lane.inputs.passage-out]
            chip = "gpiochip0"
            line = 5
            [lane.inputs.fire-open]
            chip = "gpiochip0"
            line = 6
            debounce-ms = 20
            [lane.inputs.switch]
            chip = "gpiochip0"
            line = 7
            [lane.inputs.tamper]
            chip = "gpiochip0"
            line = 8
            debounce-ms = 0
            normally = "shut"
            [lane.inputs.doorbell]
            chip = "gpiochip0"
            [inputs.tamper]
            chip = "gpiochip0"
            line = 9
            [inputs.passage-in]
            chip = "gpiochip0"
            [[lane.output]]
            """)
        #expect(Set(IssueTests.marks(text)) == [
            "13:1 passage-alone", "16:1 fire-half", "19:1 unknown-setting", "20:1 missing-setting", "23:1 input-twice",
            "26:15 out-of-range", "27:12 bad-choice", "28:14 unknown-setting", "33:9 unknown-setting", "35:1 missing-setting"
        ])
    }

    @Test("Of a change-over contact one half is open and one closed")
    func halves() {
        func loop(_ fire: String, _ open: String) -> String {
            """
            [lane.inputs.fire]
            chip = "gpiochip0"
            line = 5
            normally = "\(fire)"
            [lane.inputs.fire-open]
            chip = "gpiochip0"
            line = 6
            normally = "\(open)"
            """
        }
        #expect(Self.marks(loop("closed", "open")) == [])
        #expect(Self.marks(loop("open", "closed")) == [])
        #expect(Self.marks(loop("closed", "closed")) == ["20:12 fire-half"])
        #expect(Self.marks(loop("open", "open")) == ["20:12 fire-half"])
    }

    @Test("A fire contact that nobody supervises is a warning")
    func unsupervised() {
        let issues = IssueTests.issues(Self.lane("[inputs.fire]\nchip = \"gpiochip0\"\nline = 5\nnormally = \"open\""))
        #expect(issues.map(\.code) == ["fire-unsupervised"])
        #expect(issues.map(\.severity) == [.warning])
    }

    @Test("Two lines for operators have two names")
    func names() {
        let lamp = "[[lane.output]]\nname = \"lamp\"\nchip = \"gpiochip0\"\n"
        #expect(Self.marks(lamp + "line = 5\n" + lamp + "line = 6") == ["18:8 duplicate-name"])
    }

    @Test("A simulated contact is named, a simulated lamp is not")
    func simulated() throws {
        let loaded = try ConfigurationFile.parse(Array(Self.lane("""
            [lane.inputs.tamper]
            chip = "simulated"
            line = 5
            [lane.indicators.ready]
            chip = "simulated"
            line = 6
            """).utf8), name: "t.toml")
        #expect(loaded.warnings.map(\.code) == ["simulated-line"])
        #expect(loaded.warnings.first?.message.contains("tapstile simulate") == true)
        #expect(loaded.configuration.usesSimulatedLines)
    }
}
