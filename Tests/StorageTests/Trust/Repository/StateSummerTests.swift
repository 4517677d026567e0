import Credentials
import Testing
import TrustSync

@testable import Storage

@Suite("What the records of a state come to is summed up beside their rows (S4)")
struct StateSummerTests {
    /// Around the number that is handed over at once, and several times as many.
    @Test(arguments: [0, 1, 511, 512, 513, 3000])
    func theSumIsThatOfTheRecords(count: Int) throws {
        let people = (0..<count).map { PublicationRecord.revocation(.subject("person \($0)")) }
        let summer = StateSummer()
        for entry in try Self.entries(of: people) { summer.add(entry) }
        var sum = StateSum()
        for record in people { sum.add(record) }
        #expect(summer.finish() == sum)
    }

    @Test func whoGivesUpInTheMiddleWaitsForNothing() throws {
        let entries = try Self.entries(of: (0..<600).map { .revocation(.subject("person \($0)")) })
        for count in [0, 100, 600] {
            let summer = StateSummer()
            for entry in entries.prefix(count) { summer.add(entry) }
        }
    }

    private static func entries(of people: [PublicationRecord]) throws -> [BundleEntry] {
        let office = try RepositoryOffice(people)
        var reader = BundleReader(expecting: BundleExpectation(site: "hq", state: try office.update().state, having: nil, ceiling: RepositoryOffice.ceiling, issuedAt: 0))
        return try reader.entries(office.full())
    }
}
