import Credentials
import SiteData
import Testing
@testable import Storage

/// Each office of two replaces what the other has said. The gate takes both, for it cannot know which is right, and says so.
@Suite("Publications of two offices") struct ForkedPublicationTests {
    let fixture: TrustFixture

    init() throws { fixture = try TrustFixture() }

    private func publication(_ version: UInt64, _ subject: String, after predecessor: Predecessor?) throws -> (whole: TrustFixture.Published, name: Predecessor) {
        let whole = try fixture.publication([.enrolled(try fixture.enrolled(1, subject: subject))], version: version, after: predecessor)
        return (whole, Predecessor(whole.update.state))
    }

    @Test func whatReplacesAnotherOfficesPublicationIsTold() throws {
        let common = try publication(1, "anna", after: nil)
        let ours = try publication(2, "ben", after: common.name), theirs = try publication(3, "carla", after: common.name)
        let after = try publication(4, "dora", after: theirs.name)
        do {
            let store = try fixture.open()
            for given in [common, ours] { #expect(try fixture.apply(given.whole, to: store).forkedFrom == nil) }
            #expect(try fixture.apply(theirs.whole, to: store).forkedFrom == 2)
        }
        let again = try fixture.open()
        #expect(again.status.publication?.forkedFrom == 2, "it is told after a restart too")
        #expect(try fixture.apply(after.whole, to: again).forkedFrom == nil, "what follows on ends it")
    }

    @Test func publicationsOfAnOlderOfficeNameNone() throws {
        let store = try fixture.open()
        for version in 1...3 as ClosedRange<UInt64> {
            #expect(try fixture.apply(publication(version, "anna \(version)", after: nil).whole, to: store).forkedFrom == nil)
        }
    }
}
