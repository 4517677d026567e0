import Credentials
import SiteData
import Testing
import Waits

@testable import Storage

@Suite("What the records of a state come to is summed up beside their rows (S4)")
struct StateSummerTests {
    @Test(arguments: [0, 1, 511, 512, 513, 3000])
    func theSumIsThatOfTheRecords(count: Int) throws {
        let people = (0..<count).map { PublicationRecord.revocation(.subject("person \($0)")) }
        let summer = StateSummer()
        for hand in try Self.hands(of: people) { summer.add(hand) }
        var sum = StateSum()
        for record in people { sum.add(record) }
        #expect(summer.finish() == sum)
    }

    @Test func whoGivesUpInTheMiddleWaitsForNothing() throws {
        let hands = try Self.hands(of: (0..<3000).map { .revocation(.subject("person \($0)")) })
        for count in [0, 1, hands.count] {
            let worker = try inTime("a summer that is given up after \(count) hands") {
                let summer = StateSummer()
                for hand in hands.prefix(count) { summer.add(hand) }
                return summer.worker
            }
            #expect(try #require(worker).ends(byMonotonicMilliseconds: 0), "its thread goes with it")
        }
    }

    private static func hands(of people: [PublicationRecord]) throws -> [[BundleEntry]] {
        let office = try RepositoryOffice(people)
        var reader = BundleReader(expecting: BundleExpectation(site: "hq", state: try office.update().state, having: nil, ceiling: RepositoryOffice.ceiling, issuedAt: 0))
        let entries = try reader.entries(office.full())
        return stride(from: 0, to: entries.count, by: 512).map { Array(entries[$0..<min($0 + 512, entries.count)]) }
    }
}
