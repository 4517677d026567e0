import Cryptography
import Encoding
import SiteData
import Testing

@testable import Storage

/// For how long a gate has served since it verified newer data (S2).
@Suite struct TrustAgeTests {
    let folder: TemporaryFolder
    static let hour: Int64 = 3_600_000

    init() throws { folder = try TemporaryFolder() }

    private func open(at now: Int64 = 0) throws -> TrustAge { try TrustAge(directory: folder.path, at: now) }

    private func mark(_ version: Int64, issuedAt: Int64 = 1000, site: String = "hq") -> TrustMark {
        TrustMark(repositoryOf: site, timestamp: version, issuedAt: issuedAt)
    }

    @Test func nothingIsCountedBeforeThereAreData() throws {
        let age = try open()
        #expect(age.served(at: 5 * Self.hour) == 0)
        try age.save(at: 5 * Self.hour)
        #expect(try open(at: 7).served(at: 8) == 0)
    }

    @Test func onlyNewerDataBeginTheCountAnew() throws {
        let age = try open()
        age.verified(mark(5, issuedAt: 1000), at: 0)
        #expect(age.served(at: 30) == 30)
        // The same once more, and what is older in both: somebody plays them back.
        age.verified(mark(5, issuedAt: 1000), at: 30)
        age.verified(mark(4, issuedAt: 999), at: 30)
        #expect(age.served(at: 40) == 40)
        age.verified(mark(6, issuedAt: 900), at: 40)
        #expect(age.served(at: 45) == 5)
        age.verified(mark(6, issuedAt: 901), at: 50)
        #expect(age.served(at: 51) == 1)
        age.verified(mark(1, issuedAt: 1, site: "other"), at: 60)
        #expect(age.served(at: 60) == 0)
    }

    @Test func anOrderlyEndKeepsTheExactCount() throws {
        let age = try open(at: 100)
        age.verified(mark(1), at: 100)
        try age.save(at: 100)
        try age.end(at: 100 + Self.hour)
        // The next boot's clock begins anew.
        #expect(try open(at: 3).served(at: 3 + Self.hour) == 2 * Self.hour)
    }

    @Test func aBoardThatIsCutOffEveryMinuteAgesAllTheSame() throws {
        for _ in 0..<12 {
            let age = try open()
            age.verified(mark(1), at: 0)
            try age.save(at: 0)
            // Here the power goes.
        }
        #expect(try open().served(at: 0) == 12 * TrustAge.lead)
    }

    @Test func aLongLifeIsCountedOnce() throws {
        let age = try open()
        age.verified(mark(1), at: 0)
        for step in 0...12 { try age.save(at: Int64(step) * TrustAge.lead) }
        #expect(try open().served(at: 0) == 13 * TrustAge.lead)
    }

    @Test func theDataOfTheLastStartAreNoNewerOnes() throws {
        let first = try open()
        first.verified(mark(7), at: 0)
        try first.end(at: Self.hour)
        let second = try open()
        second.verified(mark(7), at: 0)
        #expect(second.served(at: 0) == Self.hour)
    }

    @Test func aTornWriteLeavesTheOneBefore() throws {
        let age = try open()
        age.verified(mark(1), at: 0)
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
        age.verified(mark(1), at: 5)
        #expect(age.served(at: 6) == 1)
    }

    // What belongs to whose keys ----------------------------------------------------------------

    private func keys(_ names: String...) throws -> KeyMark {
        try #require(KeyMark(names.map { .bytes(Array(SHA256.hash(Array($0.utf8)).prefix(8))) }))
    }

    private func timestamp(_ version: Int64, issuedAt: Int64, _ keys: KeyMark) -> TrustMark {
        TrustMark(repositoryOf: "hq", timestamp: version, issuedAt: issuedAt, keys: keys)
    }

    /// One timestamp of a thief, and the hours of service counted for ever, however often the office signed.
    @Test func whatAThiefCountedToMeansNothingOnceRootHasReplacedTheKey() throws {
        let age = try open(), stolen = try keys("stolen"), fresh = try keys("new")
        age.verified(timestamp(.max, issuedAt: SitePublication.latestTime, stolen), at: 0, clock: 1000)
        age.verified(timestamp(8, issuedAt: 1000, stolen), at: Self.hour)
        #expect(age.served(at: 2 * Self.hour) == 2 * Self.hour)
        age.verified(timestamp(8, issuedAt: 1001, fresh), at: 2 * Self.hour, clock: 1001)
        #expect(age.served(at: 3 * Self.hour) == Self.hour)
        try age.end(at: 3 * Self.hour)
        let next = try open()
        next.verified(timestamp(9, issuedAt: 1002, fresh), at: 5)
        #expect(next.served(at: 6) == 1)
    }

    @Test func aKeyBesideTheOldOneMakesTheSameTimestampNoNewer() throws {
        let age = try open()
        age.verified(timestamp(5, issuedAt: 1000, try keys("one")), at: 0)
        age.verified(timestamp(5, issuedAt: 1000, try keys("one", "two")), at: Self.hour)
        #expect(age.served(at: Self.hour) == Self.hour)
    }

    /// A date of the future counts as the moment at which it came.
    @Test func whoSignsAheadMakesNothingFresher() throws {
        let age = try open()
        age.verified(timestamp(5, issuedAt: 9_000_000, try keys("one")), at: 0, clock: 1000)
        #expect(age.issued(10, ofRepository: "hq") == 1000)
        // The same once more is as old as it was.
        age.verified(timestamp(5, issuedAt: 9_000_000, try keys("one")), at: Self.hour, clock: 4600)
        #expect(age.issued(10, ofRepository: "hq") == 1000 && age.served(at: Self.hour) == Self.hour)
        try age.end(at: Self.hour)
        #expect(try open().issued(10, ofRepository: "hq") == 1000)
    }

    @Test func whenMoreWasToBeSignedIsKept() throws {
        let age = try open(), publication = TrustPublication(site: "hq", version: 1, issuedAt: 1, expiresAt: 2, bodyHash: [], counts: PublicationCounts(),
                                                             generation: 1, origin: .repository)
        #expect(age.renewal(of: publication) == nil)
        age.verified(timestamp(5, issuedAt: 1000, KeyMark()), at: 0, renewal: 77)
        #expect(age.renewal(of: publication) == 77)
        try age.end(at: 1)
        #expect(try open().renewal(of: publication) == 77)
    }

    @Test func whatAnOlderProgramWroteIsRead() throws {
        let slots = try SlotFile(path: folder.path(TrustAge.name))
        let known = mark(5, issuedAt: 1000)
        try slots.write(CBOR.array([CBOR(Self.hour)] + known.fields.prefix(3)).encoded, synced: true)
        #expect(try open().served(at: 0) == Self.hour)
    }
}
