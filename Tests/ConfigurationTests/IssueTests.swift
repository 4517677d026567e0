@testable import Configuration
import Foundation
import Synchronization
import Testing
import Waits

@Suite("What is wrong is said, all of it, and where")
struct IssueTests {
    static func issues(_ text: String) -> [ConfigurationIssue] { issues(Array(text.utf8)) }

    static func issues(_ bytes: [UInt8]) -> [ConfigurationIssue] {
        do throws(InvalidConfiguration) {
            return try ConfigurationFile.parse(bytes, name: "t.toml").warnings
        } catch {
            return error.issues
        }
    }

    /// `line:column code` of each.
    static func marks(_ text: String) -> [String] {
        issues(text).map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.code)" }
    }

    @Test("Ten different mistakes in one file, all ten with their places")
    func tenMistakes() {
        let text = """
            [site]
            id = "über"
            [gate]
            id = "gate-1"
            signing-key = "keys/sign"
            [trust]
            [audit]
            wait-ms = 999
            on-failure = "denny"
            [control]
            group = 7
            sockt = "/run/c.sock"
            [[lane]]
            name = "entry"
            suites = [2, 2]
            relay = { chip = "gpiochip0", line = 17 }
            indicators.denied = { chip = "/dev/gpiochip0", line = 17 }
            [[reader]]
            name = "in"
            lane = "entri"
            match = { serial = "A1", port = "1-1" }
            """
        #expect(Self.marks(text) == [
            "2:6 bad-text", "5:15 bad-text", "6:1 missing-setting", "8:11 out-of-range", "9:14 bad-choice",
            "11:9 wrong-type", "12:1 unknown-setting", "13:1 lane-without-reader", "15:14 repeated-value",
            "17:55 line-used-twice", "20:8 unknown-lane", "21:9 reader-match"
        ])
        let suggestions = Self.issues(text).compactMap(\.suggestion)
        #expect(suggestions == ["deny", "socket", "entry"])
    }

    @Test func theOldNameOfASettingIsAnsweredWithTheNewOne() {
        let text = Sample.smallest.replacing("name = \"entry\"", with: "name = \"entry\"\nplain-cards = true")
        let lines = Self.issues(text).map(\.description)
        #expect(lines.contains { $0.hasSuffix("error unknown-setting: The setting \"plain-cards\" in lane[1] is called \"uid-only-cards\" now.") })
    }

    @Test func aTableOfIndicatorsByItsOldNameIsRefusedWithTheNewOne() {
        let old = "lights"
        let lines = Self.issues(Sample.smallest + "\n[lane.\(old).red]\nchip = \"/dev/gpiochip0\"\nline = 5\n").map(\.description)
        #expect(lines.contains { $0.hasSuffix("error unknown-setting: The setting \"lights\" in lane[1] is called \"indicators\" now.") }, "\(lines)")
    }

    @Test("A line of the report can be clicked and searched for")
    func description() {
        let text = Sample.smallest.replacing("serial", with: "serail")
        let lines = Self.issues(text).map(\.description)
        #expect(lines.contains("""
            t.toml:16:11: error unknown-setting: There is no setting "serail" in reader[1].match. Did you mean "serial"?
            """))
    }

    @Test("A syntax error stands alone, with its place", arguments: [
        ("[site]\nid = \"a\nx = 1", "2:8"), ("[site\n", "1:6"), ("a = 1\na = 2", "2:5"), ("a = ", "1:5"),
        ("\u{0}", "1:1"), ("[site]\nid = [1, 2", "2:11")
    ])
    func syntax(text: String, place: String) {
        #expect(Self.marks(text) == ["\(place) syntax"])
    }

    @Test("Bytes that are not UTF-8 are a syntax error")
    func notText() {
        let issues = Self.issues(Array("[site]\nid = \"".utf8) + [0xC3, 0x28] + Array("\"\n".utf8))
        #expect(issues.map(\.code) == ["syntax"])
        #expect(issues.first?.position?.line == 2)
    }

    @Test("Texts that nest without end are a syntax error, also on a small stack", arguments: [
        "a = " + String(repeating: "[", count: 100_000), "a = " + String(repeating: "{a=", count: 100_000),
        String(repeating: "a.", count: 100_000) + "a = 1", "[" + String(repeating: "a.", count: 100_000) + "a]",
        "a = " + String(repeating: "[\n{a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=", count: 1000)
    ])
    func depth(text: String) throws {
        let codes = Mutex<[String]>([])
        let thread = Thread { codes.withLock { $0 = Self.issues(text).map(\.code) + ["end"] } }
        thread.stackSize = 256 * 1024
        thread.start()
        try waitUntil("the end of the parser") { thread.isFinished }
        #expect(codes.withLock { $0 } == ["syntax", "end"])
    }

    @Test("Dots and brackets in texts, lists and comments are no keys", arguments: [
        "\"/\\\"DOTS\" # DOTS", "'/DOTS\\' # \"DOTS", "\"\"\"/DOTS\\\"\"\"\" # [[[", "'''/a''DOTS''' # DOTS"
    ])
    func dots(value: String) {
        let dots = String(repeating: ".", count: 100)
        let text = Sample.smallest.replacing("\"/keys/sign\"", with: value.replacing("DOTS", with: dots))
        #expect(Self.issues(text) == [])
    }

    @Test("What the parser itself stumbles over is a syntax error with its place", arguments: [
        ("[[[a]]]", "1:3"), ("a = 1\n  [[=", "2:5"), ("[é]", "1:2"), ("[[ \t.a]]", "1:5"), ("é = \"\"\"\n[[[\"\"\"\n", "1:1"),
        ("[a]\n[", "2:2"), ("[[]]", "1:3"), ("\u{FEFF}[=]", "1:2"), ("[a]\nb = [}", "2:6"), ("\"é\" = [1]\n[a]\n\"é\" = [ }", "3:9")
    ])
    func stumbling(text: String, place: String) {
        #expect(Self.marks(text) == ["\(place) syntax"])
    }

    @Test("Brackets at the start of a line within a list are no headings")
    func lists() throws {
        let text = "a = [\n[\n[{b = 1}],\n[[1]]\n]\n]\n[c]\nd = \"\"\"\n[[[\n\"\"\"\"\n"
        #expect(try TOMLDocument(Array(text.utf8)).root.isTable)
    }

    @Test("A damaged file gives a configuration or issues, never a crash", arguments: 0..<4)
    func damaged(seed: UInt64) throws {
        let shipped = Array(try ShippedFilesTests.text("Config/tapstile.toml").utf8)
        var source = ConfigurationSource(seed: seed)
        for _ in 0..<150 {
            var bytes = shipped
            for _ in 0..<source.number(1...8) {
                let at = source.number(0...bytes.count - 1)
                switch source.number(0...2) {
                case 0: bytes[at] = UInt8(source.number(0...255))
                case 1: bytes.remove(at: at)
                default: bytes.insert(source.one(of: Array("[]{}=\"'.#,\n\\1a".utf8)), at: at)
                }
            }
            for issue in Self.issues(bytes) where issue.severity == .error {
                #expect(!issue.code.isEmpty && !issue.message.isEmpty)
            }
        }
    }

    @Test("An empty file says what is needed")
    func empty() {
        #expect(Self.marks("") == [
            "0:0 missing-table", "1:1 missing-setting", "1:1 missing-setting", "1:1 missing-setting"
        ])
    }

    @Test("Tables of the wrong form are named once", arguments: [
        ("[lane]\nname = \"a\"", "wrong-type", "lane is a list of tables: write [[lane]] for each."),
        ("[[lane]]\nname = \"a\"\n[[lane.relay]]\nchip = \"a\"", "wrong-type",
         "lane[1].relay is a single table: write [lane[1].relay], once."),
        ("site = 3", "wrong-type", "site is a table, not a whole number."),
        ("lane = [1, 2]", "wrong-type", "lane is a list of tables: write [[lane]] for each."),
        ("[log]\nreaders = 1979-05-27", "wrong-type", "log.readers is a table, not a date or time.")
    ])
    func forms(text: String, code: String, message: String) {
        #expect(Self.issues(text).filter { $0.code == code }.map(\.message) == [message])
    }

    @Test("Values of the wrong type are named with both types", arguments: [
        ("wait-ms = \"3\"", "audit.wait-ms is a whole number from 0 to 250, not a text."),
        ("wait-ms = 3.5", "audit.wait-ms is a whole number from 0 to 250, not a number with a fraction."),
        ("wait-ms = true", "audit.wait-ms is a whole number from 0 to 250, not true or false."),
        ("wait-ms = [3]", "audit.wait-ms is a whole number from 0 to 250, not a list."),
        ("wait-ms = {}", "audit.wait-ms is a whole number from 0 to 250, not a table."),
        ("wait-ms = -1", "audit.wait-ms is from 0 to 250, not -1."),
        ("wait-ms = 9223372036854775807", "audit.wait-ms is from 0 to 250, not 9223372036854775807.")
    ])
    func types(line: String, message: String) {
        #expect(Self.issues(Sample.smallest + "\n[audit]\n" + line).map(\.message) == [message])
    }

    static let badTexts: [(String, String)] = [
        ("[site]\nid = \"\"", "site.id must not be empty."),
        ("[site]\nid = \"a b\"", "site.id may hold letters A–Z, digits, \".\", \"_\" and \"-\" only."),
        ("[site]\nid = \"\(String(repeating: "a", count: 65))\"", "site.id is longer than 64 characters."),
        ("[store]\ndirectory = \"/a\\u0007\"", "store.directory has U+0007 as character 3: a control character."),
        ("[store]\ndirectory = \"state\"", "store.directory must be an absolute path, starting with \"/\"."),
        ("[control]\nsocket = \"/\(String(repeating: "é", count: 60))\"", "control.socket is longer than 95 bytes.")
    ]

    @Test("Texts that are no names, no paths, too long or empty", arguments: badTexts)
    func texts(text: String, message: String) {
        #expect(Self.issues(text).filter { $0.code == "bad-text" }.map(\.message) == [message])
    }

    @Test("A method needs its key, and a key has one use")
    func keys() {
        let lacking = Sample.smallest.replacing("name = \"entry\"", with: "name = \"entry\"\nmethods = [0, 3]")
        #expect(Self.marks(lacking) == ["10:11 key-needed"])
        let twice = Sample.smallest.replacing("signing-key", with: "agreement-key = \"/keys/sign\"\nsigning-key")
        #expect(Self.marks(twice) == ["5:17 key-used-twice"])
    }

    @Test("Suite 6 alone needs method 0")
    func suites() {
        func lane(_ more: String) -> String {
            Sample.smallest.replacing("signing-key", with: "agreement-key = \"/keys/agree\"\nsigning-key")
                .replacing("name = \"entry\"", with: "name = \"entry\"\n\(more)")
        }
        #expect(Self.marks(lane("methods = [3]\nsuites = [6]")) == ["12:10 suite-needs-method"])
        #expect(Self.marks(lane("methods = [3]\nsuites = [6, 5]")) == [])
        #expect(Self.marks(lane("methods = [3, 0]\nsuites = [6]")) == [])
        #expect(Self.marks(lane("suites = [4]")) == ["11:11 bad-choice"])
    }

    @Test("A next key has a date, a file of its own, and follows one; so has a credential")
    func rotation() {
        func gate(_ more: String) -> String { Sample.smallest.replacing("signing-key", with: "\(more)\nsigning-key") }
        let date = "switch-at = \"2030-01-31T03:00:00Z\""
        #expect(Self.marks(gate("next-signing-key = \"/keys/next\"\n" + date)) == [])
        #expect(Self.marks(gate("next-signing-key = \"/keys/next\"")) == ["5:20 switch-date-missing"])
        #expect(Self.marks(gate(date)) == ["5:13 switch-to-nothing"])
        #expect(Self.marks(gate("next-signing-key = \"/keys/sign\"\n" + date)) == ["5:20 key-used-twice"])
        #expect(Self.marks(gate("next-agreement-key = \"/keys/next\"\n" + date)) == ["5:22 key-needed"])
        #expect(Self.marks(gate("agreement-credential = \"/keys/next\"")) == ["5:24 key-needed"])
        #expect(Self.marks(gate("signing-credential = \"/keys/sign.cwt\"")) == [])
    }

    static let dates: [(text: String, seconds: Int64)] = [
        ("\"2030-01-31T03:00:00Z\"", 1_896_058_800), ("2030-01-31T03:00:00Z", 1_896_058_800), ("\"2030-01-31\"", 1_896_048_000),
        ("2030-01-31 04:30:00.75+01:30", 1_896_058_800), ("2030-01-30T23:00:00-04:00", 1_896_058_800),
        ("2000-02-29T23:59:59Z", 951_868_799), ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:00:00-01:00", 0),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("9999-12-31T23:59:59+01:00", 253_402_297_199)
    ]

    @Test("A time is TOML's own or the same as a text", arguments: dates)
    func times(text: String, seconds: Int64) throws {
        let text = Sample.smallest.replacing("signing-key", with: "switch-at = \(text)\nsigning-key")
        #expect(try ConfigurationFile.parse(Array(text.utf8), name: "t.toml").configuration.gate.switchAt == seconds)
    }

    static let noDates: [(text: String, code: String)] = [
        ("\"tomorrow\"", "bad-text"), ("\"2030-01-31T03:00:00\"", "bad-text"), ("\"2030-02-30T03:00:00Z\"", "bad-text"),
        ("2030-01-31T03:00:00", "wrong-type"), ("2030-01-31", "wrong-type"), ("1896058800", "wrong-type"),
        ("\"1969-12-31\"", "bad-text"), ("1969-12-31T23:59:59Z", "bad-text"), ("1970-01-01T00:00:00+00:01", "bad-text"),
        ("0000-01-01T00:00:00+23:59", "bad-text"), ("9999-12-31T23:59:59-00:01", "bad-text")
    ]

    @Test("A time without a place is none", arguments: noDates)
    func noTimes(text: String, code: String) {
        #expect(Self.marks(Sample.smallest.replacing("signing-key", with: "switch-at = \(text)\nsigning-key")) == ["5:13 \(code)"])
    }

    @Test("Names and devices are taken once")
    func duplicates() {
        let text = Sample.smallest + """

            [[lane]]
            name = "entry"
            relay = { chip = "gpiochip0", line = "17" }
            [[reader]]
            name = "in"
            lane = "entry"
            match = { serial = "A1" }
            [[reader]]
            name = "third"
            lane = "entry"
            match = { serial = "A1", name-contains = "PICC" }
            """
        #expect(Self.marks(text) == ["18:8 duplicate-name", "21:8 duplicate-name", "23:20 reader-bound-twice"])
    }

    @Test("A reader with no way to be found, and settings that contradict each other")
    func contradictions() {
        let text = Sample.smallest.replacing("match = { serial = \"A1\" }", with: "") + """

            [audit]
            wait-ms = 200
            durable-within-ms = 100
            [trust2]
            """
        #expect(Self.marks(text) == ["13:1 reader-match", "18:11 audit-wait-too-long", "20:2 unknown-setting"])
        let late = Sample.smallest.replacing("[[lane]]", with: "warn-after-hours = 100\nrefuse-after-days = 2\n[[lane]]")
        #expect(Self.issues(late).map(\.code) == ["warning-comes-late"])
        #expect(Self.issues(late).map(\.severity) == [.warning])
    }

    @Test("A second factor by schedule needs its schedule, and a schedule needs the second factor (V6)")
    func secondFactor() {
        func lane(_ lines: String) -> String { Sample.smallest.replacing("name = \"entry\"", with: "name = \"entry\"\n\(lines)") }
        #expect(Self.issues(lane("second-factor = \"scheduled\"")).map(\.code) == ["schedule-needed"])
        #expect(Self.issues(lane("second-factor = \"scheduled\"\nsecond-factor-schedule = \"night\"")) == [])
        let unused = Self.issues(lane("second-factor-schedule = \"night\""))
        #expect(unused.map(\.code) == ["schedule-unused"])
        #expect(unused.map(\.severity) == [.warning])
        #expect(Self.issues(lane("second-factor = \"sometimes\"\nsecond-factor-schedule = \"night\"")).map(\.code) == ["bad-choice"])
        #expect(Self.issues(lane("second-factor = \"scheduled\"\nsecond-factor-schedule = \"at night\"")).map(\.code) == ["bad-text"])
    }

    @Test("A key in the wrong table is told where it belongs")
    func misplaced() {
        let text = Sample.smallest.replacing("name = \"entry\"", with: "name = \"entry\"\npulse-ms = 300")
        #expect(Self.issues(text).map(\.message) == [
            "There is no setting \"pulse-ms\" in lane[1]. It belongs in [lane.relay] or [lane.relay-out]."
        ])
    }
}
