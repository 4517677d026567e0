import Configuration
import Cryptography
import Encoding
import Foundation
import SiteRules
import Testing

@testable import SiteFile

@Suite("What is wrong with a site's file is said, all of it, and where") struct SiteFileIssueTests {
    /// A file that somebody else wrote, or that was pasted from a page.
    @Test func namesThatHideWhatTheyAreAreRefusedWhereTheyStand() {
        let text = """
            [[group]]
            name = "staff"
            members = ["anna", "be\\u001bn", "carl ", "d\u{200B}ora"]
            [[person]]
            subject = "\u{202E}eve"
            groups = ["sta\\u200bff"]
            commands = ["op\u{200B}en"]
            places = ["tapstile:demo/\u{200F}hall"]
            [[issuer]]
            name = "south\\u001b[2K\\u001b[1A"
            [[message]]
            reason = "expired"
            language = "de"
            text = "Abgelaufen\\u202e"
            """
        let issues = SiteFileFixture.issues(text).filter { $0.code == "name-forbidden" || $0.message.contains("has U+") }
        #expect(issues.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0) \($0.code)" } == [
            "3:20 name-forbidden", "3:33 name-forbidden", "3:42 name-forbidden", "5:11 name-forbidden", "6:11 name-forbidden", "7:13 name-forbidden",
            "8:11 name-forbidden", "10:8 name-forbidden", "14:8 bad-text"
        ])
        #expect(issues.first?.message == "group[1].members has U+001B as character 3: a control character.")
        #expect(issues.allSatisfy { NameRule.unseen(in: $0.description) == nil })
    }

    @Test func manyMistakesAtOnce() {
        let text = """
            time-zone = "Europe/Berlim"
            [[holiday]]
            name = "public"
            dates = ["12-25", "13-01"]
            [[schedule]]
            name = "office"
            weak = ["Mon-Fri 07:00-19:00"]
            holidays = ["publik", "public 9-10"]
            [[schedule]]
            name = "office"
            week = ["Mon-Fri 07:00-19:00", "Mond 08:00-09:00"]
            open = ["2026-02-30"]
            [[group]]
            name = "staff"
            members = ["anna", "anna"]
            [[rule]]
            group = "stuff"
            lanes = ["entry", "a lane"]
            schedule = "ofice"
            [[zone]]
            name = "hall"
            passback = "timed"
            reset = "3 o'clock"
            exempt = ["bord"]
            [[lane]]
            name = "entry"
            [[lane.plan]]
            schedule = "nite"
            mode = "lock-down"
            [[lane.plan]]
            mode = "closed"
            direction = "in"
            [[person]]
            subject = "ben"
            places = ["hall"]
            commands = ["hold open"]
            groups = ["staf"]
            [[revocation]]
            key = "00"
            """
        #expect(SiteFileFixture.marks(text) == [
            "1:13 unknown-time-zone", "4:19 bad-date", "7:1 unknown-setting", "8:13 unknown-name", "8:23 bad-window", "10:8 duplicate-name",
            "11:32 bad-window", "12:9 bad-date", "15:20 repeated-value", "17:9 unknown-name", "18:19 bad-text", "19:12 unknown-name",
            "22:12 minutes-needed", "23:9 bad-text", "24:11 unknown-name", "28:12 unknown-name", "29:8 bad-choice", "32:13 direction-unused",
            "33:1 key-needed", "35:11 bad-audience", "36:13 bad-command", "37:11 unknown-name", "39:7 bad-text"
        ])
        let suggestions = SiteFileFixture.issues(text).compactMap(\.suggestion)
        #expect(suggestions == ["Europe/Berlin", "week", "public", "Mon", "staff", "office", "locked-down", "staff"])
    }

    @Test func aLineOfTheReportCanBeClickedAndSearchedFor() {
        let lines = SiteFileFixture.issues(SiteFileFixture.whole.replacing("group = \"staff\"", with: "group = \"stuff\"")).map(\.description)
        #expect(lines == ["site.toml:17:9: error unknown-name: There is no [[group]] \"stuff\" for rule[1]. Did you mean \"staff\"?"])
    }

    @Test func lanesAndZonesOfAGateThatStandsAlone() {
        let context = SiteFileContext(hasPeople: true, gate: (lanes: ["entri"], zones: ["hall"]))
        #expect(SiteFileFixture.marks(SiteFileFixture.whole, in: context) == ["18:10 unknown-lane", "30:8 unknown-lane"])
        #expect(SiteFileFixture.issues(SiteFileFixture.whole, in: context).map(\.suggestion) == ["entri", "entri"])
        let other = SiteFileContext(hasPeople: true, gate: (lanes: ["entry"], zones: []))
        #expect(SiteFileFixture.marks(SiteFileFixture.whole, in: other) == ["23:8 unknown-zone"])
    }

    @Test func aSecondFactorThatNobodyHasIsToldBeforeAnybodyStandsThere() {
        var context = SiteFileContext(hasPeople: true)
        context.guardedCommands = [(lane: "entry", name: "hold")]
        let may = SiteFileFixture.whole.replacing("user-verified = true", with: "commands = [\"tokn\", \"hold\"]")
        #expect(SiteFileFixture.issues(may, in: context).map(\.code) == ["second-factor-of-nobody"])
        #expect(SiteFileFixture.issues(may, in: context).map(\.severity) == [.warning])
        let has = SiteFileFixture.whole.replacing("user-verified = true", with: "commands = [\"tokn\", \"hold\"]\nuser-verified = true")
        #expect(SiteFileFixture.issues(has, in: context).isEmpty)
        #expect(SiteFileFixture.issues(SiteFileFixture.whole, in: context).isEmpty, "nobody may run it at all")
    }

    /// What people are to be shown (A4), on a gate that stands alone and in the office.
    @Test func wordsAreForReasonsInLanguages() throws {
        let word = { (reason: String, language: String, text: String) in
            "[[message]]\nreason = \"\(reason)\"\nlanguage = \"\(language)\"\ntext = \"\(text)\"\n"
        }
        let site = try SiteFileFixture.load(word("granted", "de", "Bitte!") + word("granted", "en-GB", "Welcome") + word("expired", "de", "Abgelaufen"), in: .office)
        #expect(site.messages.map { [$0.name, $0.language, $0.text] } == [["granted", "de", "Bitte!"], ["granted", "en-GB", "Welcome"], ["expired", "de", "Abgelaufen"]])
        #expect(site.records.count == 3)
        #expect(SiteFileFixture.marks(word("grantd", "de", "a")) == ["2:10 unknown-name"])
        #expect(SiteFileFixture.issues(word("grantd", "de", "a")).map(\.suggestion) == ["granted"])
        #expect(SiteFileFixture.marks(word("granted", "d", "a") + word("granted", "de--DE", "a") + word("granted", "de_DE", "a"))
                == ["3:12 bad-text", "7:12 bad-text", "11:12 bad-text"])
        #expect(SiteFileFixture.marks(word("granted", "de", "a\\nb")) == ["4:8 bad-text"])
        #expect(SiteFileFixture.marks(word("granted", "de", "a") + word("granted", "en", "a") + word("granted", "de", "b")) == ["10:10 duplicate-name"])
        #expect(SiteFileFixture.marks("[[message]]\nreason = \"granted\"").count == 2)
    }

    /// The site takes back what nobody online may give again.
    @Test func anAuthorityTakesBackInItsFileToo() throws {
        #expect(try SiteFileFixture.load("[[revocation]]\nsubject = \"mallory\"", in: .office).revocations == [.subject("mallory")])
    }

    @Test func peopleAreTheAuthoritysOwnBusiness() {
        #expect(SiteFileFixture.marks(SiteFileFixture.whole, in: .office) == ["38:1 not-for-an-authority"])
    }

    @Test func withoutTheDataOfTimeZonesTheNameIsBelieved() throws {
        let context = SiteFileContext(hasPeople: true, timeZones: "/nowhere")
        #expect(SiteFileFixture.marks(SiteFileFixture.whole, in: context) == ["1:13 time-zones-missing"])
        #expect(try SiteFileFixture.load(SiteFileFixture.whole, in: context).rules.timeZone?.text == "Europe/Berlin")
    }

    @Test(arguments: ["../Berlin", "/etc/passwd", "Europe", "", "tzdata.zi", "zone.tab", "Europe/Berlin/", "europe/berlin"])
    func namesThatAreNoZones(name: String) {
        let codes = SiteFileFixture.issues("time-zone = \"\(name)\"").map(\.code)
        #expect(codes == [name.isEmpty ? "bad-text" : "unknown-time-zone"])
    }

    @Test func schedulesNeedAZone() {
        #expect(SiteFileFixture.marks("[[schedule]]\nname = \"a\"\nweek = [\"daily\"]") == ["1:1 time-zone-needed"])
        #expect(SiteFileFixture.marks("[[zone]]\nname = \"a\"\nreset = \"03:00\"") == ["1:1 time-zone-needed"])
        #expect(SiteFileFixture.marks("[[zone]]\nname = \"a\"") == [])
    }

    /// A table whose own name could not be read may be the one that is meant: one mistake, told once.
    @Test func aNameThatCannotBeReadIsNotMissedElsewhere() {
        #expect(SiteFileFixture.marks("[[group]]\nname = \"st aff\"\nmembers = [\"a\"]\n[[rule]]\ngroup = \"staff\"") == ["2:8 bad-text"])
    }

    @Test func nobodyInAGroup() { #expect(SiteFileFixture.marks("[[group]]\nname = \"a\"") == ["2:8 group-empty"]) }

    @Test func oneKeyOfTwo() throws {
        let point = "04bbd02bd3aff45c64d0ba178c460a75ef695565a9b0aa2329236ebc3eb21a019c9a347b3ab78ec03274db38a1d812304b5ec8beeb8ff6da8f237260c713761270"
        let person = "[[person]]\nsubject = \"SUBJECT\"\nkey = \"\(point)\"\n"
        let issuer = "[[issuer]]\nname = \"north\"\nkey = \"\(point)\"\n"
        #expect(SiteFileFixture.marks(person.replacing("SUBJECT", with: "anna") + person.replacing("SUBJECT", with: "ben")) == ["4:1 key-used-twice"])
        #expect(SiteFileFixture.marks(person + issuer) == ["1:1 key-used-twice"])
        #expect(SiteFileFixture.marks(person.replacing("70\"", with: "71\"")) == ["3:7 bad-key"])
        #expect(SiteFileFixture.marks(person + "key-file = \"x\"\n") == ["1:1 key-needed"])
    }

    /// The example was copied and only half of it changed.
    @Test func aPlaceholderIsNoKeyAndNeitherIsAKeyOfExamples() {
        let person = { (key: String) in "[[person]]\nsubject = \"anna\"\nkey = \"\(key)\"\n" }
        #expect(SiteFileFixture.marks(person("<public key of Anna's phone>")) == ["3:7 key-placeholder"])
        let generator = "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
            + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
        #expect(SiteFileFixture.marks(person(generator)) == ["3:7 key-well-known"])
        #expect(SiteFileFixture.marks("[[issuer]]\nname = \"north\"\nkey = \"\(generator)\"\n") == ["3:7 key-well-known"])
    }

    @Test func aPersonsTimes() {
        let text = SiteFileFixture.whole.replacing("expires = 2030", with: "not-before = \"2030-02-01\"\nexpires = 2030")
        #expect(SiteFileFixture.marks(text) == ["44:11 times-out-of-order"])
    }

    /// It would be no end at all: nothing can say the year 10,000.
    @Test func anEndThatNobodyCanReadAgain() {
        let text = SiteFileFixture.whole.replacing("2030-01-31T08:00:00Z", with: "9999-12-31T23:59:59-01:00")
        #expect(SiteFileFixture.marks(text) == ["43:11 bad-text"])
    }

    @Test func everyWayToTakeBack() throws {
        let digest = String(repeating: "0a", count: 32)
        let text = """
            [[revocation]]
            key = "\(digest)"
            [[revocation]]
            token = "\(digest)"
            [[revocation]]
            issued = "north:2:0102"
            """
        #expect(try SiteFileFixture.load(text).revocations.count == 3)
        #expect(SiteFileFixture.marks("[[revocation]]") == ["1:1 revocation-unclear"])
        #expect(SiteFileFixture.marks("[[revocation]]\nsubject = \"a\"\nkey = \"b\"") == ["1:1 revocation-unclear"])
        #expect(SiteFileFixture.marks("[[revocation]]\nissued = \"0102\"") == ["2:10 bad-text"])
    }

    @Test func schedulesThatContradictThemselves() {
        let text = """
            time-zone = "UTC"
            [[holiday]]
            name = "always"
            dates = ["12-25"]
            [[schedule]]
            name = "never"
            holidays = ["always"]
            closed = ["2026-05-04"]
            [[schedule]]
            name = "both"
            week = ["Mon 08:00-09:00"]
            open = ["2026-05-04 08:00-12:00", "2026-05-05"]
            closed = ["2026-05-03", "2026-05-04 11:00-13:00"]
            [[lane]]
            name = "entry"
            [[lane.plan]]
            schedule = "both"
            mode = "closed"
            [[lane.plan]]
            mode = "normal"
            [[lane.plan]]
            schedule = "both"
            mode = "locked-down"
            """
        #expect(SiteFileFixture.marks(text) == ["6:8 schedule-never-opens", "13:25 schedule-contradicts", "21:1 plan-contradicts"])
        #expect(SiteFileFixture.issues(text).last?.message.hasSuffix(" The other one stands in line 16.") ?? false)
        #expect(SiteFileFixture.marks(text.replacing("13:00\"]", with: "13:00 priority 1\"]")) == ["6:8 schedule-never-opens", "21:1 plan-contradicts"])
        // Whatever could not be read may have been what makes it open.
        #expect(SiteFileFixture.marks(text.replacing("holidays = [\"always\"]", with: "week = [\"Mo\"]")) == ["7:9 bad-window", "13:25 schedule-contradicts"])
    }

    @Test func textsThatAreNoTOML() {
        #expect(SiteFileFixture.marks("[[rule]\n") == ["1:8 syntax"])
        #expect(SiteFileFixture.marks("rule = 3") == ["1:8 wrong-type"])
        #expect(SiteFileFixture.marks("week = [\"Mon\"]") == ["1:1 unknown-setting"])
    }

    @Test func rulesThatNoGateCouldHold() {
        let dates = (0..<3000).map { "\"20\(20 + $0 / 365)-01-01\"" }.joined(separator: ", ")
        let holidays = (0..<48).map { "[[holiday]]\nname = \"h\($0)\"\ndates = [\(dates)]\n" }.joined()
        #expect(SiteFileFixture.issues(holidays).map(\.code).contains("rules-too-long"))
    }

    /// Each bound of a gate, and what lies just beyond it: one that is not said here makes gates refuse all that the site decides.
    @Test func oneMoreThanGatesTakeIsSaidBeforeItIsSigned() {
        func schedule(_ text: String) -> String { "time-zone = \"Etc/UTC\"\n[[schedule]]\nname = \"s\"\n\(text)" }
        func list(_ count: Int, _ make: (Int) -> String) -> String { "[" + (0..<count).map { "\"\(make($0))\"" }.joined(separator: ", ") + "]" }
        func window(_ number: Int) -> String {
            func clock(_ minute: Int) -> String { "\(minute / 60 < 10 ? "0" : "")\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)" }
            return "Mon \(clock(20 * number))-\(clock(20 * number + 5))"
        }
        let texts: [(Int, (Int) -> String)] = [
            (48, { schedule("week = " + list($0, window)) }), (1000, { schedule("open = " + list($0) { "\(2000 + $0)-05-04" }) }),
            (64, { count in schedule("holidays = " + list(count) { "h\($0)" }) + "\n"
                + (0..<count).map { "[[holiday]]\nname = \"h\($0)\"\ndates = [\"12-25\"]\n" }.joined() }),
            (2000, { "[[holiday]]\nname = \"h\"\ndates = " + list($0) { "\(2000 + $0)-05-04" } }),
            (64, { count in "[[lane]]\nname = \"l\"\n" + (0..<count).map { "[[lane.plan]]\nmode = \"normal\"\npriority = \($0)\n" }.joined() })
        ]
        for (most, text) in texts {
            #expect(!SiteFileFixture.issues(text(most)).map(\.code).contains("rules-too-long"), "\(text(1))")
            #expect(SiteFileFixture.issues(text(most + 1)).map(\.code).contains("rules-too-long"), "\(text(1))")
        }
    }

    @Test("A damaged file gives a site or issues, never a crash", arguments: 0..<4)
    func damaged(seed: UInt64) {
        let whole = Array(SiteFileFixture.whole.utf8)
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func number(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(below))
        }
        for _ in 0..<20 {
            var bytes = whole
            for _ in 0...number(8) {
                let at = number(bytes.count)
                switch number(3) {
                case 0: bytes[at] = UInt8(number(256))
                case 1: bytes.remove(at: at)
                default: bytes.insert(Array("[]{}=\"'.#,\n\\1a -:".utf8)[number(17)], at: at)
                }
            }
            do throws(InvalidSiteFile) {
                for record in try SiteFile.parse(bytes, name: "t", in: SiteFileContext(hasPeople: true)).records { #expect(!record.encoded.isEmpty) }
            } catch {
                #expect(error.issues.contains { $0.severity == .error && !$0.message.isEmpty })
            }
        }
    }

    @Test func aMessageByItsOldNameIsRefusedWithTheNewOne() {
        let old = "word"
        let issues = SiteFileFixture.issues("[[\(old)]]\nreason = \"granted\"\nlanguage = \"de\"\ntext = \"Bitte!\"\n", in: .office)
        #expect(issues.contains { $0.code == "unknown-setting" && $0.message == "The setting \"word\" at the top is called \"message\" now." }, "\(issues)")
    }
}
