import Configuration
import Testing

@testable import Controller
@testable import Site
@testable import Storage
import SiteData

/// When old site data are worth a word (S2).
@Suite struct SiteDataAgeTests {
    static let issued: Int64 = 1_800_000_000
    static let rules = TrustSettings(source: .repository(root: "/keys/root.json"), warnAfterHours: 24, refuseAfterDays: 30, tokenCache: 0)

    @Test(arguments: [
        (-5, .fresh), (24 * 3600 - 1, .fresh), (24 * 3600, .old(hours: 24)), (30 * 86400, .old(hours: 720)),
        // Verification refuses tokens from the next second on.
        (30 * 86400 + 1, .stale(hours: 720))
    ] as [(Int64, SiteDataAge)])
    func age(seconds: Int64, age: SiteDataAge) {
        let publication = TrustPublication(site: "hq", version: 1, issuedAt: Self.issued, expiresAt: Self.issued + 1, bodyHash: [],
                                           counts: PublicationCounts(), generation: 1)
        #expect(SiteDataAge(of: publication, now: Self.issued + seconds, Self.rules) == age)
    }

    /// Whatever the clock says: it may have been put back.
    @Test(arguments: [(0, .fresh), (86399, .fresh), (86400, .old(hours: 24)), (30 * 86400 + 1, .stale(hours: 720))] as [(Int64, SiteDataAge)])
    func service(seconds: Int64, age: SiteDataAge) {
        let publication = TrustPublication(site: "hq", version: 1, issuedAt: Self.issued, expiresAt: Self.issued + 1, bodyHash: [],
                                           counts: PublicationCounts(), generation: 1)
        #expect(SiteDataAge(of: publication, now: Self.issued, served: seconds, Self.rules) == age)
        #expect(SiteDataAge(of: publication, now: Self.issued - 86400, served: seconds, Self.rules) == age)
    }

    /// By whichever of the two ages is the greater.
    @Test(arguments: [(0, 0, 30 * 86400), (86400, 0, 29 * 86400), (0, 86400, 29 * 86400), (86400, 2 * 86400, 28 * 86400), (31 * 86400, 0, -86400)] as [(Int64, Int64, Int64)])
    func tokensPassUntil(age: Int64, served: Int64, left: Int64) {
        let now = Self.issued + age
        #expect(SiteDataAge.tokensUntil(issued: Self.issued, now: now, served: served, Self.rules) == now + left)
    }

    /// With a stolen timestamp key everything newer can be kept back, and the data are fresh by the timestamp (S2).
    @Test(arguments: [(24 * 3600 - 1, .fresh), (24 * 3600, .unrenewed(hours: 24))] as [(Int64, SiteDataAge)])
    func overdue(seconds: Int64, age: SiteDataAge) {
        let publication = TrustPublication(site: "hq", version: 1, issuedAt: Self.issued, expiresAt: Self.issued + 1, bodyHash: [],
                                           counts: PublicationCounts(), generation: 1, origin: .repository)
        #expect(SiteDataAge(of: publication, now: Self.issued, renewal: Self.issued - seconds, Self.rules) == age)
        #expect(SiteDataAge.unrenewed(hours: 24).code == "trust-data-unrenewed")
    }

    @Test func noneIsAnotherMatter() {
        #expect(SiteDataAge(of: nil, now: Self.issued, Self.rules) == .fresh)
    }

    @Test func whatIsSaidDiffersOnceTokensAreRefused() {
        #expect(SiteDataAge.old(hours: 25).code == "trust-data-old")
        #expect(SiteDataAge.stale(hours: 800).code == "trust-data-stale")
        #expect(SiteDataAge.stale(hours: 800).message.contains("token"))
        #expect(SiteDataAge.fresh.code == nil)
    }
}
