import SiteData
import Testing

@testable import Controller
@testable import Sync

/// What a gate fetches of what there is (S4).
@Suite struct SyncChoiceTests {
    static let site = [UInt8](repeating: 1, count: 32)

    private func state(_ epoch: UInt64, _ version: UInt64, _ digest: UInt8 = 7) -> SignedState {
        SignedState(epoch: epoch, version: version, digest: [UInt8](repeating: digest, count: 32))
    }

    private func choice(_ had: SignedState?, of newest: SignedState, site: [UInt8] = site, offers: [(from: UInt64, length: UInt64)] = [(5, 100), (9, 10)]) -> SyncChoice {
        SyncChoice(having: had.map { SyncChoice.Had(state: $0, siteHash: Self.site) }, of: SyncChoice.Signed(
            state: newest, siteHash: site, offers: offers.map { DeltaChoice.Offer(from: $0.from, length: $0.length) }))
    }

    @Test func whatIsThereIsNotFetched() { #expect(choice(state(1, 10), of: state(1, 10)) == .nothing) }

    @Test func aNewGateTakesTheWhole() { #expect(choice(nil, of: state(1, 10)) == .whole) }

    @Test func theShortestChangesThatReachBackFarEnough() {
        #expect(choice(state(1, 9), of: state(1, 10)) == .changes(since: 9, withSite: false))
        #expect(choice(state(1, 6), of: state(1, 10)) == .changes(since: 5, withSite: false))
        #expect(choice(state(1, 4), of: state(1, 10)) == .whole)
        #expect(choice(state(1, 6), of: state(1, 10), offers: [(5, 1_000_000)]) == .changes(since: 5, withSite: false), "a short whole may be an old one")
    }

    @Test func theSiteComesAloneOrAlong() {
        #expect(choice(state(1, 10), of: state(1, 10), site: [2]) == .site)
        #expect(choice(state(1, 9), of: state(1, 10), site: [2]) == .changes(since: 9, withSite: true))
    }

    @Test func anotherEpochOrAnotherPastIsTakenWhole() {
        #expect(choice(state(1, 9), of: state(2, 10)) == .whole)
        #expect(choice(state(1, 10, 7), of: state(1, 10, 8)) == .whole)
        // The store refuses what is older.
        #expect(choice(state(1, 11), of: state(1, 10)) == .whole)
    }
}
