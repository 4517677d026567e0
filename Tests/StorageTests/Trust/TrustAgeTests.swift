import Testing
import TrustSync

@testable import Storage

/// For how long a gate has served since it verified newer data (S2).
@Suite struct TrustAgeTests {
    let folder: TemporaryFolder
    static let hour: Int64 = 3_600_000

    init() throws { folder = try TemporaryFolder() }

    private func open(at now: Int64 = 0) throws -> TrustAge { try TrustAge(directory: folder.path, at: now) }

    private func mark(_ version: UInt64, issuedAt: Int64 = 1000, site: String = "hq", origin: SiteDataOrigin = .publication) -> TrustMark? {
        TrustMark(TrustPublication(site: site, version: version, issuedAt: issuedAt, expiresAt: issuedAt + 1, bodyHash: [],
                                   counts: PublicationCounts(), generation: 1, origin: origin))
    }

    @Test func nothingIsCountedBeforeThereAreData() throws {
        let age = try open()
        #expect(age.served(at: 5 * Self.hour) == 0)
        try age.save(at: 5 * Self.hour)
        #expect(try open(at: 7).served(at: 8) == 0)
    }

    @Test func onlyNewerDataBeginTheCountAnew() throws {
        let age = try open()
        age.verified(try #require(mark(5, issuedAt: 1000)), at: 0)
        #expect(age.served(at: 30) == 30)
        // The same once more, and what is older in both: somebody plays them back.
        age.verified(try #require(mark(5, issuedAt: 1000)), at: 30)
        age.verified(try #require(mark(4, issuedAt: 999)), at: 30)
        #expect(age.served(at: 40) == 40)
        age.verified(try #require(mark(6, issuedAt: 900)), at: 40)
        #expect(age.served(at: 45) == 5)
        age.verified(try #require(mark(6, issuedAt: 901)), at: 50)
        #expect(age.served(at: 51) == 1)
        age.verified(try #require(mark(1, issuedAt: 1, site: "other")), at: 60)
        #expect(age.served(at: 60) == 0)
    }

    @Test func aSitesOwnFileDoesNotAge() { #expect(mark(1, origin: .siteFile) == nil) }

    @Test func anOrderlyEndKeepsTheExactCount() throws {
        let age = try open(at: 100)
        age.verified(try #require(mark(1)), at: 100)
        try age.save(at: 100)
        try age.end(at: 100 + Self.hour)
        // The next boot's clock begins anew.
        #expect(try open(at: 3).served(at: 3 + Self.hour) == 2 * Self.hour)
    }

    @Test func aBoardThatIsCutOffEveryMinuteAgesAllTheSame() throws {
        for _ in 0..<12 {
            let age = try open()
            age.verified(try #require(mark(1)), at: 0)
            try age.save(at: 0)
            // Here the power goes.
        }
        #expect(try open().served(at: 0) == 12 * TrustAge.lead)
    }

    @Test func aLongLifeIsCountedOnce() throws {
        let age = try open()
        age.verified(try #require(mark(1)), at: 0)
        for step in 0...12 { try age.save(at: Int64(step) * TrustAge.lead) }
        #expect(try open().served(at: 0) == 13 * TrustAge.lead)
    }

    @Test func theDataOfTheLastStartAreNoNewerOnes() throws {
        let first = try open()
        first.verified(try #require(mark(7)), at: 0)
        try first.end(at: Self.hour)
        let second = try open()
        second.verified(try #require(mark(7)), at: 0)
        #expect(second.served(at: 0) == Self.hour)
    }

    @Test func aTornWriteLeavesTheOneBefore() throws {
        let age = try open()
        age.verified(try #require(mark(1)), at: 0)
        try age.end(at: Self.hour)
        try age.end(at: 2 * Self.hour)
        // The second write lies in the first slot.
        try folder.damage(TrustAge.name, at: 20, with: [0xFF, 0xFF, 0xFF])
        #expect(try open().served(at: 0) == Self.hour)
    }

    @Test func whatSaysNothingIntactIsBegunAnew() throws {
        try folder.write([UInt8](repeating: 0x55, count: 1024), to: TrustAge.name)
        let age = try open()
        #expect(age.served(at: 5) == 0)
        age.verified(try #require(mark(1)), at: 5)
        #expect(age.served(at: 6) == 1)
    }
}
