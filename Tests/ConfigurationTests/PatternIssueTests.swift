@testable import Configuration
import Testing

@Suite("Patterns that are none are said, all of them, and where (L2, O1)")
struct PatternIssueTests {
    static let lamp = """
        \n[lane.indicators.red]
        chip = "gpiochip0"
        line = 5\n
        """

    /// A configuration with a red lamp and these patterns; places count from the first line of `patterns`.
    static func issues(_ patterns: String, lamp: String = lamp) -> [ConfigurationIssue] {
        let head = Sample.smallest.replacing("[[reader]]", with: lamp + "[[reader]]") + "\n"
        let first = head.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        return IssueTests.issues(head + patterns).map { issue in
            ConfigurationIssue(severity: issue.severity, file: issue.file,
                               position: issue.position.map { TextPosition(line: $0.line - first, column: $0.column) },
                               code: issue.code, message: issue.message, suggestion: issue.suggestion)
        }
    }

    static func marks(_ patterns: String) -> [String] {
        issues(patterns).map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.code)" }
    }

    @Test("Every mistake of every pattern at once, with its place")
    func allAtOnce() {
        let text = """
            [pattern.redy]
            steps = ["red 100"]
            [pattern.granted]
            steps = ["gren 100", "green 150", "green+green 100", "green", "off+red 100", "blue 0"]
            [pattern.denied]
            steps = []
            [pattern.wait]
            steps = ["off 100", "off 200"]
            [pattern.fire]
            repeat = false
            steps = ["red 100", "off 100"]
            [pattern.fault]
            repeats = true
            """
        #expect(Self.marks(text) == [
            "1:10 unknown-setting", "4:10 pattern-lamp", "4:22 pattern-length", "4:35 repeated-value", "4:54 pattern-step",
            "4:63 repeated-value", "4:78 pattern-length", "6:9 empty-list", "8:9 pattern-dark", "11:9 pattern-dark",
            "12:1 missing-setting", "13:1 unknown-setting"
        ])
        #expect(Self.issues(text).compactMap(\.suggestion) == ["ready", "green", "200", "repeat"])
    }

    @Test("Lengths that are none", arguments: ["60100", "-100", "1e3", "99", "١٠٠", "+100", "0x64", "100ms"])
    func lengths(length: String) {
        #expect(Self.marks("[pattern.ready]\nsteps = [\"red \(length)\"]") == ["2:10 pattern-length"])
    }

    @Test("Forms that are none", arguments: ["red", "100", "red 100 100", "red+ 100", "+red 100", "red green 100", "red, 100 ms"])
    func forms(step: String) {
        #expect(Self.marks("[pattern.ready]\nsteps = [\"\(step)\"]") == ["2:10 pattern-step"])
    }

    @Test("64 steps are the most")
    func tooLong() {
        func pattern(_ count: Int) -> String {
            "[pattern.ready]\nsteps = [" + Array(repeating: "\"red 100\"", count: count).joined(separator: ", ") + "]"
        }
        #expect(Self.marks(pattern(64)) == [])
        #expect(Self.marks(pattern(65)) == ["2:9 pattern-too-long"])
    }

    @Test("What is right is read: lamps in any order, a repetition unless it is refused")
    func right() throws {
        let text = Sample.smallest.replacing("[[reader]]", with: Self.lamp + "[[reader]]") + """
            \n[pattern.locked-down]
            steps = ["buzzer+red 200", "off 60000"]
            [pattern.granted]
            steps = ["green 300"]
            repeat = false
            """
        let configuration = try EffectiveTextTests.load(text)
        #expect(configuration.patterns == [
            .lockedDown: PatternSettings(steps: [PatternStepSettings(lamps: [.red, .buzzer], milliseconds: 200),
                                                 PatternStepSettings(lamps: [], milliseconds: 60_000)], repeats: true),
            .granted: PatternSettings(steps: [PatternStepSettings(lamps: [.green], milliseconds: 300)], repeats: false)
        ])
    }

    @Test("A pattern that no lane can play is a warning")
    func unused() {
        let issues = Self.issues("[pattern.ready]\nsteps = [\"red 100\"]", lamp: "")
        #expect(issues.map(\.code) == ["pattern-unused"])
        #expect(issues.map(\.severity) == [.warning])
        #expect(Self.marks("[pattern.ready]\nsteps = [\"red 100\"]") == [])
    }
}
