import Credentials
import Cryptography
import Encoding
import SeededNumbers
import Testing
@testable import SiteData

/// Bundles, elements and sums against those of an independent program.
@Suite struct BundleVectorTests {
    let vectors: BundleVectors
    init() throws { vectors = try BundleVectors() }

    @Test func elementsAreThoseOfTheOtherProgram() throws {
        for fact in try vectors.objects("elements") {
            let element = StateElement(try PublicationRecord(cbor: CBOR.decode(BundleVectors.bytes(fact["form"]))))
            #expect(try SHA256.hash(element.bytes) == BundleVectors.bytes(fact["sha256"]))
            #expect(try Array(element.bytes.prefix(16)) == BundleVectors.bytes(fact["begins"]))
        }
    }

    @Test func keysAreThoseOfTheOtherProgram() throws {
        for fact in try vectors.objects("keys") {
            let key = RecordKey(try PublicationRecord(cbor: CBOR.decode(BundleVectors.bytes(fact["form"]))))
            #expect(try key.bytes == BundleVectors.bytes(fact["key"]))
            #expect(fact["kind"] == .integer(Int64(key.kind)))
        }
    }

    @Test(arguments: zip([0, 1], ["full", "second"])) func sumsAndDigests(_ index: Int, _ name: String) throws {
        var random = SeededNumbers(seed: 1)
        var sum = StateSum(), counts = PublicationCounts()
        for record in try vectors.records(name).shuffled(using: &random) {
            sum.add(record)
            counts.count(record)
        }
        #expect(try sum.bytes == vectors.texts("sums")[index])
        #expect(StateSum(bytes: sum.bytes) == sum)
        #expect(try sum.digest(site: "hq", counts: counts) == vectors.texts("digests")[index])
    }

    @Test(arguments: [1, 7, 100, 100_000]) func theSiteIsRead(_ pieces: Int) throws {
        let (header, items) = try BundleReader.read(vectors.file("site"), BundleExpectation(site: "hq", epoch: 3), pieces: pieces)
        #expect(header.part == .site && header.version == 12 && header.needs == "0.7.0" && header.from == nil && header.digest == nil)
        #expect(try items == vectors.records("site").map(BundleItem.put))
        #expect(items.contains(.put(.ceiling(BundleVectors.ceiling))))
    }

    @Test(arguments: [1, 7, 100, 100_000]) func peopleAreRead(_ pieces: Int) throws {
        let (header, items) = try BundleReader.read(vectors.file("full"), vectors.expecting(people: 0), pieces: pieces)
        #expect(header.version == 5 && header.epoch == 3)
        #expect(try items == vectors.records("full").map(BundleItem.put))
    }

    @Test func changesLeadFromOneStateToTheOther() throws {
        let (header, items) = try BundleReader.read(vectors.file("changes"), vectors.expecting(people: 1, having: 5))
        #expect(header.from == 5 && header.version == 7)
        var people = ModelPeople(try vectors.records("full"))
        people.apply(items)
        #expect(try people.records == vectors.records("second"))
        #expect(people.sum.digest(site: "hq", counts: people.counts) == header.digest)
        #expect(people.counts == header.counts)
    }

    /// The whole site and the lobby have changed; the yard has not.
    @Test func zonesComeToWhatTheOtherProgramSays() throws {
        let header = try BundleReader.read(vectors.file("changes"), vectors.expecting(people: 1, having: 5)).header
        var random = SeededNumbers(seed: 2)
        var before = ZoneSums(site: "hq"), after = ZoneSums(site: "hq")
        for record in try vectors.records("full") { before.add(record, StateElement(record)) }
        for record in try vectors.records("second").shuffled(using: &random) { after.add(record, StateElement(record)) }
        #expect(after.sums.count == 3 && after.zones(unlike: before) == ["", "lobby"])
        #expect(header.zones == after.digests(of: ["", "lobby"]))
    }

    /// What is read is written again as the same bytes.
    @Test(arguments: ["site", "full", "changes"]) func theWriterMakesTheSameBytes(_ name: String) throws {
        let file = try vectors.file(name)
        let expectation = switch name {
        case "site": BundleExpectation(site: "hq", epoch: 3)
        case "full": try vectors.expecting(people: 0)
        default: try vectors.expecting(people: 1, having: 6)
        }
        let (header, items) = try BundleReader.read(file, expectation)
        var writer = BundleWriter(header, ceiling: name == "site" ? nil : BundleVectors.ceiling, issuedAt: BundleVectors.issuedAt)
        var written = writer.head
        for item in items { written += try writer.add(item) }
        try writer.finish()
        #expect(written == file)
    }
}
