import Configuration
import Credentials
import Testing

@testable import SiteFile

/// `[[issuer]]`: whose tokens count, and the most that they may say.
@Suite("Issuers in a site's file") struct IssuerTableTests {
    private static let whole = """
        time-zone = "Europe/Berlin"
        [[schedule]]
        name = "days"
        week = ["Mon-Fri 07:00-19:00"]
        [[issuer]]
        name = "visitors"
        commands = ["tokn", "hold"]
        places = ["tapstile:north/hall"]
        schedule = "days"
        longest-hours = 12
        user-verified = true
        until = 2030-01-31T00:00:00Z
        off = true
        """
    private static let ceiling = IssuerCeiling(
        commands: ["tokn", "hold"], audiences: ["tapstile:north/hall"], schedule: "days", longest: 12 * 3600, userVerification: true, until: 1_896_048_000,
        isOff: true)
    private static let key = """

        key = "04bbd02bd3aff45c64d0ba178c460a75ef695565a9b0aa2329236ebc3eb21a019c9a347b3ab78ec03274db38a1d812304b5ec8beeb8ff6da8f237260c713761270"
        """

    private static func office(_ issuers: [String]?) -> SiteFileContext {
        var context = SiteFileContext.office
        context.issuers = issuers
        return context
    }

    @Test func everythingThatCanBeSaid() throws {
        let office = try SiteFileFixture.load(Self.whole, in: Self.office(["north", "visitors"]))
        #expect(office.issuerCeilings == ["visitors": Self.ceiling] && office.issuers.isEmpty)
        let gate = try SiteFileFixture.load(Self.whole + Self.key)
        #expect(gate.issuers.map(\.ceiling) == [Self.ceiling] && gate.issuerCeilings.isEmpty)
    }

    @Test func whatIsLeftOutIsTight() throws {
        #expect(try SiteFileFixture.load("[[issuer]]\nname = \"a\"", in: .office).issuerCeilings == ["a": IssuerCeiling()])
        #expect(IssuerCeiling() == IssuerCeiling(commands: ["tokn"], audiences: [], schedule: nil, longest: 48 * 3600, userVerification: false, until: nil))
        #expect(try SiteFileFixture.load("", in: .office).issuerCeilings.isEmpty)
    }

    /// As before on a gate that stands alone; one word more, and all of it is bound.
    @Test func onAGateThatStandsAloneOneOfWhichNothingIsSaidIsBoundByNothing() throws {
        let text = "[[issuer]]\nname = \"a\"" + Self.key
        #expect(try SiteFileFixture.load(text).issuers.map(\.ceiling) == [nil])
        #expect(try SiteFileFixture.load(text + "\noff = false").issuers.map(\.ceiling) == [IssuerCeiling()])
    }

    static let refused: [(String, [String])] = [
        ("schedule = \"nights\"", ["3:12 unknown-name"]), ("places = [\"hall\"]", ["3:11 bad-audience"]), ("commands = [\"a b\"]", ["3:13 bad-command"]),
        ("longest-hours = 0", ["3:17 out-of-range"]), ("commands = []", ["3:12 empty-list"]), ("places = []", ["3:10 empty-list"]),
        ("until = \"soon\"", ["3:9 bad-text"]), ("longest-hour = 3", ["3:1 unknown-setting"]), ("key-file = \"issuer.pub\"", ["3:12 not-for-an-authority"]),
        ("[[issuer]]\nname = \"visitors\"\noff = true", ["4:8 duplicate-name"])
    ]

    @Test(arguments: refused)
    func mistakesAreNamed(text: String, marks: [String]) {
        #expect(SiteFileFixture.marks("[[issuer]]\nname = \"visitors\"\n" + text, in: .office) == marks)
    }

    /// The one that was meant would have no ceiling, or none that is tight.
    @Test(arguments: ["Visitors", "visitor", "vis\u{131}tors"])
    func aNameThatIsNobodysIsAMistake(name: String) {
        let issues = SiteFileFixture.issues("[[issuer]]\nname = \"\(name)\"", in: Self.office(["north", "visitors"]))
        #expect(issues.map(\.code) == ["unknown-issuer"])
        #expect(SiteFileFixture.marks("[[issuer]]\nname = \"\(name)\"", in: Self.office(nil)) == [], "where nobody knows the issuers")
    }

    @Test func theSiteItselfSwitchesOneOff() throws {
        #expect(try SiteFileFixture.load("[[revocation]]\nissuer = \"visitors\"", in: .office).revocations == [.issuer("visitors")])
        #expect(SiteFileFixture.marks("[[revocation]]\nissuer = \"a\"\nsubject = \"b\"") == ["1:1 revocation-unclear"])
    }
}
