import Credentials
import Cryptography
import SeededNumbers
import SiteData
import SiteRules
import Testing

@testable import Authority

/// A million people are sorted in little memory: over a file that nobody finds afterwards.
@Suite("Sorting what is published") struct ItemSorterTests {
    let scratch: ScratchFolder
    var folder: AuthorityFolder { AuthorityFolder(path: scratch.path) }

    init() throws { scratch = try ScratchFolder() }

    /// Of every kind, some of them gone, each once.
    private func items(_ dice: inout SeededNumbers) throws -> [BundleItem] {
        var items: [BundleItem] = []
        for number in 0..<200 {
            let key = EnrolledKey(keyIdentifier: [UInt8(number)], key: try phoneKey(), use: .sign, subject: "s\(number)", scope: ["tokn"], audiences: [])
            items += [.put(.enrolled(key)), .put(.rule(.membership(Membership(group: "g\(number % 7)", subject: "s\(number)"))))]
            items += [.put(.revocation(.subject(String(repeating: "x", count: number + 1)))), .put(.revocation(.issued(issuer: "i\(number % 3)", cti: [UInt8(number)])))]
            items.append(.gone(RecordKey(card: try UIDOnlyCardNumber([4, 1, 2, 3, 4, 5, UInt8(number)]))))
        }
        return items.shuffled(using: &dice)
    }

    private func sorted(_ items: [BundleItem], most: Int) throws -> [BundleItem] {
        var sorter = ItemSorter(in: folder, most: most), sorted: [BundleItem] = []
        for item in items { try sorter.add(item) }
        #expect(try scratch.names().isEmpty, "the file has no name from the beginning")
        try sorter.forEach { sorted.append($0) }
        try sorter.forEach { _ in Issue.record("each comes once") }
        return sorted
    }

    @Test(arguments: [1, 5000, 100_000, 1 << 20])
    func theyComeInTheOrderOfTheirKeysHoweverFewFitIntoMemory(most: Int) throws {
        var dice = SeededNumbers(seed: UInt64(most))
        let items = try items(&dice)
        #expect(try sorted(items, most: most) == items.sorted { $0.key < $1.key })
    }

    @Test func nothingSortedIsNothing() throws { #expect(try sorted([], most: 1).isEmpty) }

    /// Nobody else finds it, and nothing that lies there is taken for it.
    @Test func nothingOfItHasAName() throws {
        let item = BundleItem.gone(RecordKey(card: try UIDOnlyCardNumber([4, 1, 2, 3, 4, 5, 6])))
        #expect(try sorted([item], most: 1) == [item])
        #expect(try scratch.names() == [])
    }
}
