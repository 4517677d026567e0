import Encoding
import SiteData
import Testing

@testable import Storage

/// What is remembered beside the site data.
@Suite struct TrustFloorTests {
    @Test func theFormOfOlderProgramsIsRead() throws {
        let old = CBOR.array([.bytes([1]), 7, .bytes([2]), 100, 3]).encoded
        let floor = try #require(TrustFloor(old))
        #expect(floor.site == [1] && floor.version == 7 && floor.bodyHash == [2] && floor.issuedAt == 100 && floor.generation == 3)
        #expect(floor.epoch == 0)
        #expect(TrustFloor(floor.encoded) == floor)
        for bytes in [[], [0x80], [0xA0], CBOR.array([1, 2, 3, 4, 5]).encoded, Array(old.dropLast())] { #expect(TrustFloor(bytes) == nil) }
    }

    @Test func theLongestFits() throws {
        let most = Int64.max
        let publication = TrustPublication(
            site: "hq", version: UInt64(most), issuedAt: SitePublication.latestTime, expiresAt: SitePublication.latestTime,
            bodyHash: [UInt8](repeating: 1, count: 32), counts: PublicationCounts(), generation: .max, origin: .repository,
            repository: RepositoryFacts(epoch: UInt64(most), siteHash: [], ceiling: .standard))
        let keys = try #require(KeyMark((0..<8).map { CBOR.bytes([UInt8](repeating: $0, count: 8)) }))
        let floor = TrustFloor(publication, after: nil, keys: keys)
        #expect(floor.keys == keys)
        #expect(floor.encoded.count <= SlotFile.capacity)
        #expect(TrustFloor(floor.encoded) == floor)
    }

    @Test func epochsCountBeforeVersions() throws {
        let publication = TrustPublication(
            site: "hq", version: 5, issuedAt: 1, expiresAt: 2, bodyHash: [], counts: PublicationCounts(), generation: 1, origin: .repository,
            repository: RepositoryFacts(epoch: 2, siteHash: [], ceiling: .standard))
        let floor = TrustFloor(publication, after: nil)
        #expect(floor.isAbove(epoch: 2, version: 4) && floor.isAbove(epoch: 1, version: 9))
        #expect(!floor.isAbove(epoch: 2, version: 5) && !floor.isAbove(epoch: 3, version: 1))
        #expect(floor.concerns(site: "hq", .repository) && !floor.concerns(site: "hq", .publication))
    }

    /// People are signed by a key that is online: whoever steals it must not put a gate's clock forward (S5).
    @Test func whatIsSignedOnlineSaysNothingAboutTheTime() {
        // As an older program noted it.
        let imported = TrustFloor(CBOR.array([.bytes([1]), 7, .bytes([2]), 100, 3]).encoded)
        let stolen = TrustPublication(
            site: "hq", version: 5, issuedAt: 4_000_000_000, expiresAt: 4_000_000_001, bodyHash: [], counts: PublicationCounts(), generation: 2,
            origin: .repository, repository: RepositoryFacts(epoch: 1, siteHash: [], ceiling: .standard))
        #expect(imported?.issuedAt == 100 && TrustFloor(stolen, after: imported).issuedAt == 100)
        #expect(TrustFloor(stolen, after: nil).issuedAt == 0)
    }
}
