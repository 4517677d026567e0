import SiteData
import Testing

@testable import SiteFile

/// `[people]`: what an authority may give people at most (S5).
@Suite("The ceiling in a site's file") struct PeopleCeilingTests {
    @Test func everythingThatCanBeSaid() throws {
        let text = """
            [people]
            commands = ["tokn", "hold"]
            places = ["tapstile:north/hall", "tapstile:north/yard/gate"]
            groups = ["staff"]
            longest-days = 400
            uid-only-cards = true
            user-verified = false
            """
        #expect(try SiteFileFixture.load(text, in: .office).ceiling == Ceiling(
            commands: ["tokn", "hold"], audiences: ["tapstile:north/hall", "tapstile:north/yard/gate"], groups: ["staff"], longest: 400 * 86_400,
            uidOnlyCards: true, userVerification: false))
    }

    @Test func whatIsLeftOutIsThatOfSitesThatSayNothing() throws {
        #expect(try SiteFileFixture.load("[people]", in: .office).ceiling == .standard)
        #expect(try SiteFileFixture.load("", in: .office).ceiling == nil)
    }

    static let refused: [(String, [String])] = [
        ("[people]\ncommands = [\"a b\"]", ["2:13 bad-command"]), ("[people]\nplaces = [\"hall\"]", ["2:11 bad-audience"]),
        ("[people]\nlongest-days = 0", ["2:16 out-of-range"]), ("[people]\ngroups = [\"a\", \"a\"]", ["2:16 repeated-value"]),
        ("[people]\ngroups = []", ["2:10 empty-list"]),
        ("[people]\nuid-only-card = true", ["2:1 unknown-setting"]), ("[[people]]", ["1:1 wrong-type"])
    ]

    @Test(arguments: refused)
    func mistakesAreNamed(text: String, marks: [String]) {
        #expect(SiteFileFixture.marks(text, in: .office) == marks)
    }

    /// There is nobody who could give more than the file itself.
    @Test func aGateThatStandsAloneHasNone() {
        #expect(SiteFileFixture.marks("[people]", in: SiteFileContext(hasPeople: true)) == ["1:1 only-for-an-authority"])
    }
}
