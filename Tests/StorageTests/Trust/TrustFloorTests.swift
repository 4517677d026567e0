import Encoding
import Testing
import TrustSync

@testable import Storage

/// What is remembered beside the trust data.
@Suite struct TrustFloorTests {
    private func versions(_ numbers: [String: Int64]) throws -> TrustedVersions {
        var versions = TrustedVersions()
        for (role, number) in numbers { versions[try RoleName(named: role)] = number }
        return versions
    }

    @Test func theFormOfOlderProgramsIsRead() throws {
        let old = CBOR.array([.bytes([1]), 7, .bytes([2]), 100, 3]).encoded
        let floor = try #require(TrustFloor(old))
        #expect(floor.site == [1] && floor.version == 7 && floor.bodyHash == [2] && floor.issuedAt == 100 && floor.generation == 3)
        #expect(floor.epoch == 0 && floor.roles == TrustedVersions())
        #expect(TrustFloor(floor.encoded) == floor)
        for bytes in [[], [0x80], [0xA0], CBOR.array([1, 2, 3, 4, 5]).encoded, Array(old.dropLast())] { #expect(TrustFloor(bytes) == nil) }
    }

    @Test func theLongestFits() throws {
        let most = Int64.max
        let roles = try versions(["root": most, "timestamp": most, "snapshot": most, "targets": most, "people": most])
        let publication = TrustPublication(
            site: "hq", version: UInt64(most), issuedAt: SitePublication.latestTime, expiresAt: SitePublication.latestTime,
            bodyHash: [UInt8](repeating: 1, count: 32), counts: PublicationCounts(), generation: .max, origin: .repository,
            repository: RepositoryFacts(epoch: UInt64(most), siteHash: [], ceiling: .standard))
        let floor = TrustFloor.with(roles: roles, after: TrustFloor(publication, after: nil))
        #expect(floor.encoded.count <= SlotFile.capacity)
        #expect(TrustFloor(floor.encoded) == floor)
    }

    @Test func versionsOfRolesOutliveEverythingElse() throws {
        let fixture = try TrustFixture()
        let first = try versions(["root": 1, "timestamp": 9, "people": 4])
        var store = try fixture.open()
        #expect(store.trustedVersions == TrustedVersions())
        try store.keep(first)
        store.close()
        store = try fixture.open()
        #expect(store.trustedVersions == first)
        #expect(store.status.clockFloor == 0)
        // Neither an import nor its end changes them, and they change nothing of it.
        try fixture.apply(try fixture.publication([], version: 3), to: store)
        #expect(store.trustedVersions == first)
        let second = try versions(["root": 2, "timestamp": 1])
        try store.keep(second)
        store.close()
        try fixture.folder.write([], to: "trust.db")
        store = try fixture.open()
        #expect(store.trustedVersions == second)
        #expect(fixture.refusal(try fixture.publication([], version: 2), by: store) == .publication(.rollback(have: 3, given: 2)))
        #expect(store.status.clockFloor == TrustFixture.now - 60)
        _ = try store.resetFloor(now: 5)
        #expect(store.trustedVersions == second && store.status.clockFloor == 5)
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
}
