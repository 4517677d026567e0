import Credentials
import Cryptography
import SeededNumbers
import SiteData
import SiteRules
import Testing

/// Changes say final states and no steps: from any version between their first and their last they lead to the last.
@Suite struct DeltaAlgebraTests {
    /// An office that remembers when it last changed which key.
    private struct Office {
        var people = ModelPeople()
        var states = [ModelPeople()]
        var changed: [RecordKey: Int] = [:]

        mutating func step(_ pool: [PublicationRecord], _ random: inout some RandomNumberGenerator) {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                guard let record = pool.randomElement(using: &random) else { return }
                let key = RecordKey(record)
                changed[key] = states.count
                if Bool.random(using: &random) { people.put(record) } else { people.remove(key) }
            }
            states.append(people)
        }

        func header(from: Int) throws -> BundleHeader {
            try BundleHeader(part: .people, site: "hq", epoch: 1, version: UInt64(states.count), counts: people.counts,
                             digest: people.sum.digest(site: "hq", counts: people.counts), needs: "0.7.0", from: UInt64(from + 1))
        }

        /// Versions begin at 1: state n is version n + 1.
        func changes(from: Int) throws -> [UInt8] {
            var writer = BundleWriter(try header(from: from), ceiling: nil)
            var file = writer.head
            for key in changed.filter({ $0.value > from }).keys.sorted() {
                file += try writer.add(people.all[key].map(BundleItem.put) ?? .gone(key))
            }
            try writer.finish()
            return file
        }
    }

    /// Keys with several forms each, so that a record is replaced by another of its key too.
    private static func pool() throws -> [PublicationRecord] {
        let keys = try (0..<6).map { _ in try SigningKey.generate().publicKey }
        let enrolled = keys.flatMap { key in
            ["alice", "bob"].map { PublicationRecord.enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: $0)) }
        }
        let revoked = ["carol", "dave", "erin"].flatMap { [PublicationRecord.revocation(.subject($0)), .revocation(.suspended($0))] }
        let members = ["a", "b"].flatMap { group in
            ["alice", "bob", "carol"].map { PublicationRecord.rule(.membership(Membership(group: group, subject: $0))) }
        }
        let cards = try (1...3).flatMap { number in
            try ["frank", "grace"].map { PublicationRecord.uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, number]), subject: $0)) }
        }
        return enrolled + revoked + members + cards
    }

    @Test(arguments: UInt64(0)..<12) func anyVersionBetweenLeadsToTheLast(_ seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let pool = try Self.pool()
        var office = Office()
        for _ in 0..<10 { office.step(pool, &random) }
        let last = office.states.count - 1
        let ceiling = Ceiling(commands: ["tokn"], audiences: [], groups: nil, longest: nil, uidOnlyCards: true, userVerification: true)
        for from in 0..<last {
            let file = try office.changes(from: from)
            for have in from...last {
                let state = SignedState(epoch: 1, version: UInt64(last + 1), digest: try #require(try office.header(from: from).digest))
                let (_, items) = try BundleReader.read(
                    file, BundleExpectation(site: "hq", state: state, having: UInt64(have + 1), ceiling: ceiling, issuedAt: 0), pieces: 97)
                var people = office.states[have]
                people.apply(items)
                #expect(people == office.people, "from \(from), having \(have)")
            }
        }
    }

    /// A change that is left out shows in the digest.
    @Test func aMissingChangeIsSeen() throws {
        var random = SeededNumbers(seed: 1)
        let pool = try Self.pool()
        var office = Office()
        for _ in 0..<4 { office.step(pool, &random) }
        var people = office.people
        people.put(.revocation(.subject("somebody")))
        #expect(people.sum.digest(site: "hq", counts: office.people.counts) != office.people.sum.digest(site: "hq", counts: office.people.counts))
        people.remove(RecordKey(revocation: .subject("somebody")))
        #expect(people == office.people)
    }

    @Test func theDigestIsThatOfASiteAndItsCounts() throws {
        let sum = StateSum()
        var counts = PublicationCounts()
        let empty = sum.digest(site: "hq", counts: counts)
        #expect(sum.digest(site: "hr", counts: counts) != empty)
        counts.count(.revocation(.subject("x")))
        #expect(sum.digest(site: "hq", counts: counts) != empty)
    }
}
