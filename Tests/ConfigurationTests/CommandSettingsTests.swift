import Configuration
import Testing

/// `[[lane.command]]` (T10, A1).
@Suite("Commands of a lane") struct CommandSettingsTests {
    @Test("What is wrong with a list is named with its place")
    func mistakes() {
        let list = """
            [[lane.command]]
            name = "tokn"
            action = "pass"
            output = "lamp"
            [[lane.command]]
            name = "tokn"
            action = "toggle"
            [[lane.command]]
            name = "arm"
            action = "on"
            output = "lmap"
            minutes = 0
            [[lane.command]]
            name = "open"
            action = "open"
            """
        #expect(InputTests.marks(list) == [
            "16:10 output-unused", "18:8 duplicate-name", "19:10 output-needed", "23:10 output-unknown", "24:11 out-of-range", "27:10 bad-choice"
        ])
    }

    @Test("A list without tokn is told: nobody passes who names no command")
    func withoutTokn() {
        let issues = IssueTests.issues(InputTests.lane("[[lane.command]]\nname = \"come\"\naction = \"record-only\""))
        #expect(issues.map(\.code) == ["command-tokn-missing"])
        #expect(issues.map(\.severity) == [.warning])
    }

    private static func codes(_ command: String, carriers: String = "nfc-first", more: String = "") -> [String] {
        IssueTests.issues(InputTests.lane("[[lane.output]]\nname = \"panel\"\nchip = \"gpiochip0\"\nline = 9\n"
            + "[[lane.command]]\nname = \"tokn\"\naction = \"pass\"\n[[lane.command]]\nname = \"it\"\n\(command)")
            .replacing("\n[lane.relay]", with: "\ncarriers = \"\(carriers)\"\n[lane.relay]") + more).map(\.code)
    }

    @Test("What shuts or opens a lane lasts a day at the longest, an output a week, and nothing else lasts")
    func times() {
        for action in ["hold-open", "lock-down"] {
            #expect(Self.codes("action = \"\(action)\"\nminutes = 1440") == [])
            #expect(Self.codes("action = \"\(action)\"\nminutes = 1441") == ["out-of-range"])
        }
        for action in ["on", "off", "toggle"] {
            #expect(Self.codes("action = \"\(action)\"\noutput = \"panel\"\nminutes = 10080") == [])
            #expect(Self.codes("action = \"\(action)\"\noutput = \"panel\"\nminutes = 10081") == ["out-of-range"])
        }
        for action in ["pass", "normal", "record-only"] {
            #expect(Self.codes("action = \"\(action)\"\nminutes = 5") == ["minutes-unused"])
        }
    }

    @Test("A command that no phone can run is told before anybody stands there")
    func neverRun() {
        let air = "\n[[radio]]\nname = \"air\"\nlanes = [\"entry\"]\n"
        #expect(Self.codes("action = \"hold-open\"", carriers: "ble-only", more: air + "manual = false") == ["command-never-run", "reader-unused"])
        #expect(Self.codes("action = \"pass-out\"", carriers: "ble-only", more: air + "manual = false") == ["reader-unused"])
        #expect(Self.codes("action = \"hold-open\"", carriers: "ble-only", more: air) == ["reader-unused"])
        #expect(Self.codes("action = \"hold-open\"", carriers: "both", more: air + "manual = false") == [])
    }
}
