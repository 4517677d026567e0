import Credentials
import Cryptography
import Encoding
import SeededNumbers
import SiteRules
import Testing
@testable import SiteData

/// What is read straight from the bytes is what the tree of CBOR says, and whatever is not in order is left to it.
@Suite struct PeopleRecordReaderTests {
    private static func records() throws -> [PublicationRecord] {
        let key = try SigningKey.generate().publicKey, agreeing = try AgreementKey.generate(.x25519).publicKey
        let edwards = try SigningKey.generate(.ed25519).publicKey
        let enrolled = [
            EnrolledKey(keyIdentifier: [], key: key, use: .sign, subject: "alice"),
            EnrolledKey(keyIdentifier: [1, 2], key: key, use: .agree, subject: "é", scope: ["tokn", "hold"], audiences: ["tapstile:hq/lobby"],
                        notBefore: 0, expiresAt: .max, userVerification: true),
            EnrolledKey(keyIdentifier: [UInt8](repeating: 7, count: 64), key: agreeing, use: .agree, subject: String(repeating: "x", count: 256)),
            EnrolledKey(keyIdentifier: [3], key: edwards, use: .sign, subject: "bob", scope: ["tokn"], expiresAt: 300)
        ]
        let revoked: [Revocation] = [.subject("alice"), .suspended("bob"), .key(thumbprint: key.thumbprint)]
        return enrolled.map(PublicationRecord.enrolled) + revoked.map(PublicationRecord.revocation)
            + [.rule(.membership(Membership(group: "staff", subject: "alice")))]
    }

    /// The record of a tree, and how long it was; nil if it is none.
    private static func slow(_ bytes: [UInt8]) -> (record: PublicationRecord, length: Int)? {
        var reader = CBORReader(bytes)
        guard let cbor = try? reader.next(), let record = try? PublicationRecord(cbor: cbor) else { return nil }
        return (record, reader.offset)
    }

    @Test func everyFormThatIsInOrderIsRead() throws {
        let records = try Self.records()
        var random = SeededNumbers(seed: 1), people = PeopleRecordReader()
        // In any order: what was remembered of the one before must not show in the next.
        let some = (0..<200).compactMap { _ in records.randomElement(using: &random) }
        var reader = CBORReader(some.flatMap(\.encoded))
        for record in some {
            let start = reader.offset
            let found = people.next(&reader)
            #expect(found == record)
            #expect(Array(reader.raw(from: start)) == record.encoded)
        }
        #expect(reader.isAtEnd)
    }

    @Test func whatTheTreeRefusesIsNotRead() throws {
        var read = 0, refused = 0
        for record in try Self.records() {
            let whole = record.encoded
            for place in whole.indices {
                for other in [whole[place] ^ 1, whole[place] ^ 0x20, whole[place] &+ 1, 0xFF, 0xF6, 0x00] {
                    var bytes = whole
                    bytes[place] = other
                    // The scope of the record as it was is remembered.
                    var people = PeopleRecordReader(), first = CBORReader(whole), reader = CBORReader(bytes + [0xF6])
                    _ = people.next(&first)
                    guard let found = people.next(&reader) else {
                        #expect(reader.offset == 0)
                        refused += 1
                        continue
                    }
                    let tree = try #require(Self.slow(bytes + [0xF6]), "byte \(place) of \(record)")
                    #expect(found == tree.record && reader.offset == tree.length)
                    read += 1
                }
            }
            for count in whole.indices {
                var people = PeopleRecordReader(), reader = CBORReader(Array(whole.prefix(count)))
                let found = people.next(&reader)
                #expect(found == nil && reader.offset == 0)
            }
        }
        #expect(read > 100 && refused > 100)
    }

    @Test func otherRecordsAreLeftToTheTree() throws {
        let others: [PublicationRecord] = [
            .revocation(.issued(issuer: "i", cti: [1])), .uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, 4]), subject: "alice")),
            .rule(.access(AccessRule(group: "staff"))), .message(try #require(SiteMessage(language: "en", name: "hello", text: "Hello")))
        ]
        for record in others {
            var people = PeopleRecordReader(), reader = CBORReader(record.encoded)
            let found = people.next(&reader)
            #expect(found == nil && reader.offset == 0)
        }
    }

    /// A gate sums up what it reads; the office what it writes.
    @Test func whatAnEntryAddsIsWhatItsRecordAdds() throws {
        let records = try Self.records().sorted { RecordKey($0) < RecordKey($1) }
        let keys = Set(records.map { RecordKey($0) })
        let distinct = records.enumerated().filter { number, record in number == 0 || RecordKey(records[number - 1]) != RecordKey(record) }.map(\.element)
        #expect(distinct.count == keys.count)
        var sum = StateSum(), counts = PublicationCounts()
        for record in distinct {
            sum.add(record)
            counts.count(record)
        }
        let ceiling = Ceiling(commands: ["tokn", "hold"], audiences: [], groups: nil, longest: nil, uidOnlyCards: true, userVerification: true)
        for from in [nil, UInt64(1)] {
            let digest = sum.digest(site: "hq", counts: counts)
            var writer = BundleWriter(try BundleHeader(
                part: .people, site: "hq", epoch: 1, version: 2, counts: counts, digest: digest, needs: "0.1.0", from: from))
            var file = writer.head
            for record in distinct { file += try writer.add(.put(record)) }
            try writer.finish()
            var reader = BundleReader(expecting: BundleExpectation(
                site: "hq", state: SignedState(epoch: 1, version: 2, digest: digest), having: from, ceiling: ceiling, issuedAt: 0))
            let entries = try reader.entries(file), elements = ElementMaker()
            var read = StateSum()
            for entry in entries { read.add(entry, by: elements) }
            #expect(read == sum)
            #expect(entries.map(\.item) == distinct.map(BundleItem.put))
            #expect(entries.map(\.key) == distinct.map { RecordKey($0) })
        }
    }
}
