import Credentials
import SiteData
import SiteFile
import SiteRules
import Testing

/// `[[uid-only-card]]` (V8).
@Suite("UID-only cards in a site's file") struct UIDOnlyCardTests {
    private static func card(_ uid: String, _ more: String = "") -> String { "[[uid-only-card]]\nuid = \"\(uid)\"\nsubject = \"anna\"\n\(more)\n" }

    @Test func everythingThatCanBeSaid() throws {
        let text = "[[group]]\nname = \"guests\"\n" + Self.card("04A1b2C3d4E5f6", """
            groups = ["guests"]
            places = ["tapstile:north/hall"]
            not-before = 1970-01-01T00:00:05Z
            expires = 1970-01-01T00:00:10Z
            """)
        let site = try SiteFileFixture.load(text)
        let card = UIDOnlyCard(number: try UIDOnlyCardNumber([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]), subject: "anna",
                             audiences: ["tapstile:north/hall"], notBefore: 5, expiresAt: 10)
        #expect(site.uidOnlyCards == [card])
        #expect(site.memberships == [Membership(group: "guests", subject: "anna")])
        #expect(site.records.contains(.uidOnlyCard(card)))
    }

    @Test func numberAndSubjectAreEnough() throws {
        let site = try SiteFileFixture.load(Self.card("01020304"))
        #expect(site.uidOnlyCards == [UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, 4]), subject: "anna")])
    }

    @Test(arguments: ["", "04", "0401020304", "04:01:02:03", "0x010203", "08010203", "040102030405", "0401020304050607080910"])
    func numbersThatAreNone(uid: String) {
        let issues = SiteFileFixture.issues(Self.card(uid))
        #expect(issues.map(\.code) == [uid.isEmpty || uid.count > 20 ? "bad-text" : "bad-uid"])
        #expect(issues.first?.position?.line == 2)
    }

    /// What is said of a file may stand in the log.
    @Test func noMistakeNamesTheNumber() {
        for text in [Self.card("08a1b2c3"), Self.card("04a1b2c3d4"), Self.card("a1b2c3d4") + Self.card("A1B2C3D4")] {
            let words = SiteFileFixture.issues(text).map(\.description).joined().lowercased()
            #expect(!words.isEmpty && !words.contains("a1b2"))
        }
    }

    @Test func oneCardOfTwo() {
        #expect(SiteFileFixture.marks(Self.card("01020304") + Self.card("01020304")) == ["6:7 uid-used-twice"])
    }

    @Test func otherMistakes() {
        #expect(SiteFileFixture.marks(Self.card("01020304", "places = [\"hall\"]")) == ["4:11 bad-audience"])
        #expect(SiteFileFixture.marks(Self.card("01020304", "groups = [\"nobody\"]")) == ["4:11 unknown-name"])
        #expect(SiteFileFixture.marks(Self.card("01020304", "expires = 1970-01-01T00:00:00Z")) == ["4:11 times-out-of-order"])
        #expect(SiteFileFixture.marks(Self.card("01020304", "commands = [\"hold\"]")).count == 1, "a card has one command")
    }

    @Test func inTheFileOfAnAuthorityTheyAreRefused() {
        let issues = SiteFileFixture.issues(Self.card("01020304"), in: .office)
        #expect(issues.map(\.code) == ["not-for-an-authority"])
    }
}
