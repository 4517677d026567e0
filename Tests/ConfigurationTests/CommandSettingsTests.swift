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
}
