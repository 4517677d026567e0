import Credentials
import Cryptography
import Encoding
import SiteRules
import Testing
@testable import SiteData

/// Bundles that were signed and are wrong all the same.
@Suite struct BundleAttackTests {
    private static let digest = [UInt8](repeating: 1, count: 32)

    private func header(_ part: String = "people", _ change: (inout CBORMap) -> Void = { _ in }) -> [UInt8] {
        var map: CBORMap = [1: 2, 2: .text(part), 3: "hq", 4: 3, 5: 7, 6: [0, 0, 0, 0, 0, 0, 0], 8: "0.7.0"]
        if part == "people" { map[7] = .bytes(Self.digest) }
        change(&map)
        return CBOR.map(map).encoded
    }

    private func expectation(having: UInt64? = nil, ceiling: Ceiling = .standard, issuedAt: Int64 = 1000) -> BundleExpectation {
        BundleExpectation(site: "hq", state: SignedState(epoch: 3, version: 7, digest: Self.digest), having: having, ceiling: ceiling,
                          issuedAt: issuedAt)
    }

    private func refusal(of file: [UInt8], having: UInt64? = nil) -> BundleError? {
        BundleReader.refusal(of: file, expectation(having: having))
    }

    /// A whole bundle of these items, one after another.
    private func refusal(people items: CBOR..., counts: CBOR? = nil) -> BundleError? {
        refusal(of: header { $0[6] = counts ?? [0, 0, 0, .unsigned(UInt64(items.count)), 0, 0, 0] } + CBOR.encodeSequence(items))
    }

    private func refusal(changes items: CBOR...) -> BundleError? {
        refusal(of: header { $0[9] = 5 } + CBOR.encodeSequence(items), having: 5)
    }

    private static func code(_ error: BundleError?) -> String? { error?.code }

    @Test func aSoundHeaderIsTaken() {
        #expect(refusal(of: header()) == nil)
        #expect(refusal(of: header { $0[9] = 5 }, having: 6) == nil)
        #expect(BundleReader.refusal(of: header("site"), BundleExpectation(site: "hq", epoch: 3)) == nil)
    }

    @Test(arguments: [CBOR](arrayLiteral: 1, 2, 3, 4, 5, 6, 7, 8)) func aHeaderWithoutAField(_ label: CBOR) {
        #expect(refusal(of: header { $0[label] = nil }) == .malformed(offset: 0))
        #expect(refusal(of: header { $0[label] = .null }) == .malformed(offset: 0))
    }

    /// What the zones come to stands in changes only, and there for few of them.
    @Test func whatAHeaderMaySayOfZones() {
        let digest = CBOR.bytes(Self.digest)
        func zones(_ map: CBOR, from: CBOR? = 5) -> BundleError? {
            refusal(of: header { ($0[9], $0[10]) = (from, map) }, having: from == nil ? nil : 6)
        }
        let many = { (count: Int) in CBOR.map(CBORMap((0..<count).map { (.text("z\($0)"), digest) })) }
        for sound in [[:], ["": digest], ["hall": digest, "-": digest], many(256)] as [CBOR] { #expect(zones(sound) == nil) }
        let longest = String(repeating: "z", count: 64)
        #expect(zones([.text(longest): digest]) == nil)
        for wrong in [1, .null, [digest], ["hall": .bytes([1])], ["hall": "x"], [1: digest], [.text(longest + "z"): digest], many(257)] as [CBOR] {
            #expect(zones(wrong) == .malformed(offset: 0))
        }
        #expect(zones(["hall": digest], from: nil) == .malformed(offset: 0))
    }

    @Test func aHeaderWithImpossibleValues() {
        let changes: [(inout CBORMap) -> Void] = [
            { $0[2] = "persons" }, { $0[3] = "" }, { $0[4] = 0 }, { $0[4] = -1 }, { $0[5] = 0 }, { $0[5] = .unsigned(.max) },
            { $0[6] = [0, 0, 0, 0, 0, 0] }, { $0[6] = [0, 0, 0, 0, 0, 0, -1] }, { $0[7] = .bytes([1]) }, { $0[8] = "" },
            { $0[8] = .text(String(repeating: "9", count: 65)) }, { $0[9] = 7 }, { $0[9] = 0 }, { $0[9] = "5" }
        ]
        for (index, change) in changes.enumerated() { #expect(refusal(of: header("people", change)) == .malformed(offset: 0), "case \(index)") }
        for file: [UInt8] in [[0x01], [0x80], [0xFF], [0xA0], [0xA1, 0x01, 0x02], [0xA2, 0x08, 0x60, 0x01, 0x02]] {
            #expect(refusal(of: file) == .malformed(offset: 0))
        }
        // Changes are of people only, and the site has no digest.
        let site = BundleExpectation(site: "hq", epoch: 3)
        #expect(BundleReader.refusal(of: header("site") { $0[9] = 5 }, site) == .malformed(offset: 0))
        #expect(BundleReader.refusal(of: header("site") { $0[7] = .bytes(Self.digest) }, site) == .malformed(offset: 0))
    }

    @Test func anotherFormatIsForANewerGate() {
        #expect(refusal(of: header { $0[1] = 3; $0[8] = "2.0"; $0[5] = nil }) == .needsNewer("2.0"))
        #expect(refusal(of: header { $0[99] = "what a later version adds" }) == nil)
    }

    @Test func theBundleIsTheExpectedOne() {
        #expect(refusal(of: header("site")) == .wrongPart)
        #expect(BundleReader.refusal(of: header(), BundleExpectation(site: "hq", epoch: 3)) == .wrongPart)
        #expect(refusal(of: header { $0[9] = 5 }) == .wrongPart)
        #expect(refusal(of: header(), having: 5) == .wrongPart)
        #expect(refusal(of: header { $0[3] = "hr" }) == .wrongSite)
        #expect(refusal(of: header { $0[4] = 4 }) == .wrongEpoch(expected: 3, given: 4))
        #expect(refusal(of: header { $0[5] = 8 }) == .wrongState)
        #expect(refusal(of: header { $0[7] = .bytes([UInt8](repeating: 2, count: 32)) }) == .wrongState)
        #expect(refusal(of: header { $0[5] = 6; $0[7] = .bytes([UInt8](repeating: 2, count: 32)) }) == nil)
        #expect(refusal(of: header { $0[9] = 5 }, having: 4) == .wrongBase(from: 5, to: 7, having: 4))
        #expect(refusal(of: header { $0[9] = 5 }, having: 8) == .wrongBase(from: 5, to: 7, having: 8))
    }

    @Test func itEndsWhereItShould() {
        #expect(refusal(of: []) == .truncated)
        #expect(refusal(of: Array(header().dropLast())) == .truncated)
        let record = CBOR.array([4, 3, "mallory"]).encoded
        #expect(refusal(of: header { $0[6] = [0, 0, 0, 1, 0, 0, 0] } + record.dropLast()) == .truncated)
        #expect(refusal(of: header { $0[6] = [0, 0, 0, 1, 0, 0, 0] }) == .wrongCounts)
        #expect(refusal(people: [4, 3, "mallory"], counts: [0, 0, 1, 0, 0, 0, 0]) == .wrongCounts)
        var reader = BundleReader(expecting: expectation())
        #expect(throws: BundleError.malformed(offset: 0)) { try reader.feed([0xFF]) }
        #expect(throws: BundleError.finished) { try reader.feed(header()) }
        #expect(throws: BundleError.finished) { try reader.finish() }
    }

    @Test func recordsAreInOrderAndOnce() {
        let start = UInt64(header().count)
        #expect(refusal(people: [4, 3, "a"], [4, 3, "b"]) == nil)
        #expect(refusal(people: [4, 3, "b"], [4, 3, "a"]) == .unsorted(offset: start + 5))
        #expect(refusal(people: [4, 3, "a"], [4, 3, "a"]) == .unsorted(offset: start + 5))
        #expect(refusal(people: [4, 4, .bytes(Self.digest)], [4, 3, "a"])?.code == "bundle-unsorted")
        // A shorter key comes before the longer ones that begin with it.
        #expect(refusal(people: [4, 3, "ab"], [4, 3, "a"])?.code == "bundle-unsorted")
        #expect(refusal(changes: [0, [4, 3, "a"]], [1, 4, .bytes([3, 0x61])])?.code == "bundle-unsorted")
        #expect(refusal(changes: [1, 4, .bytes([3, 0x61])], [0, [4, 3, "b"]]) == nil)
    }

    @Test func malformedItems() {
        let cases: [CBOR] = [
            1, [], [[]], ["x"], [0], [0, 1], [2, [4, 3, "a"]], [0, [4, 3, "a"], 1], [1, 4], [1, 4, "x"], [1, 4, .bytes([])], [1, 4, .bytes([3])],
            [1, 4, .bytes([7, 1])], [1, 4, .bytes([0, 1])], [1, 3, .bytes([1])], [1, 12, .bytes([1, 2])], [1, 11, .bytes([UInt8](repeating: 1, count: 16))],
            [0, [4, 3, ""]], [0, [4, 9, "a"]], [0, [0, 1]], [1, 0, .bytes([1])]
        ]
        for (index, item) in cases.enumerated() { #expect(refusal(changes: item)?.code == "bundle-malformed", "case \(index)") }
        for (index, item) in [CBOR](arrayLiteral: 1, [], ["x"], [0, [4, 3, "a"]], [4, 3], [4, 7, "a"], [3]).enumerated() {
            #expect(refusal(people: item)?.code == "bundle-malformed", "case \(index)")
        }
        #expect(refusal(of: header() + [0x83, 0x18, 0x04, 0x03, 0x61, 0x61])?.code == "bundle-malformed")
        let long = CBOR.array([4, 2, "i", .bytes([UInt8](repeating: 1, count: SitePublication.longestRecord))])
        #expect(refusal(people: long)?.code == "publication-record-too-long")
    }

    @Test func aKindOfTheFutureNeedsANewerGate() {
        #expect(refusal(people: [16, 1]) == .needsNewer("0.7.0"))
        #expect(refusal(changes: [0, [16, 1]]) == .needsNewer("0.7.0"))
        #expect(refusal(changes: [1, 16, .bytes([1])]) == .needsNewer("0.7.0"))
    }

    /// People may not decide what is signed offline, put or taken away.
    @Test(arguments: [UInt64](arrayLiteral: 1, 2, 5, 6, 7, 8, 9, 10, 13, 14, 15)) func peopleOverreach(_ kind: UInt64) {
        #expect(refusal(people: [.unsigned(kind), "x"]) == .peopleOverreach(kind: kind))
        #expect(refusal(changes: [0, [.unsigned(kind), "x"]]) == .peopleOverreach(kind: kind))
        #expect(refusal(changes: [1, .unsigned(kind), .bytes([1])]) == .peopleOverreach(kind: kind))
    }

    @Test(arguments: [UInt64](arrayLiteral: 3, 11, 12)) func theSiteHasNoPeople(_ kind: UInt64) {
        let file = header("site") + CBOR.array([.unsigned(kind), "x"]).encoded
        #expect(BundleReader.refusal(of: file, BundleExpectation(site: "hq", epoch: 3))?.code == "bundle-malformed")
    }

    @Test func theSiteFitsTogether() throws {
        let site = BundleExpectation(site: "hq", epoch: 3)
        let key = COSEKey(key: try SigningKey.generate().publicKey).cbor
        let issuers = CBOR.encodeSequence([[1, "a", key], [1, "b", key]])
        #expect(BundleReader.refusal(of: header("site") { $0[6] = [2, 0, 0, 0, 0, 0, 0] } + issuers, site) == nil)
        let ceilings = CBOR.encodeSequence([Ceiling.standard.record, Ceiling.standard.record])
        #expect(BundleReader.refusal(of: header("site") { $0[6] = [0, 0, 0, 0, 2, 0, 0] } + ceilings, site)?.code == "bundle-unsorted")
    }

    @Test func aWriterDoesNotMakeWhatNoReaderTakes() throws {
        let head = try BundleHeader(part: .people, site: "hq", epoch: 1, version: 2, counts: PublicationCounts(), digest: Self.digest, needs: "1")
        var writer = BundleWriter(head, ceiling: .standard)
        #expect(throws: BundleError.wrongPart) { try writer.add(.gone(RecordKey(enrolled: Self.digest))) }
        #expect(throws: BundleError.peopleOverreach(kind: 13)) { try writer.add(.put(.ceiling(.standard))) }
        let card = try UIDOnlyCard(number: UIDOnlyCardNumber([1, 2, 3, 4]), subject: "a")
        #expect(throws: BundleError.scopeExceeded(.uidOnlyCards, offset: UInt64(writer.head.count))) { try writer.add(.put(.uidOnlyCard(card))) }
        writer = BundleWriter(head, ceiling: .standard)
        _ = try writer.add(.put(.revocation(.subject("b"))))
        #expect(throws: BundleError.wrongCounts) { try writer.finish() }
        #expect(throws: BundleError.self) { try writer.add(.put(.revocation(.subject("a")))) }
        #expect(throws: BundleError.malformed(offset: 0)) {
            try BundleHeader(part: .site, site: "hq", epoch: 1, version: 0, counts: PublicationCounts(), needs: "1")
        }
    }

    @Test func errorsHaveCodesAndSentences() {
        let errors: [BundleError] = [
            .malformed(offset: 1), .unsorted(offset: 1), .needsNewer("1"), .wrongPart, .wrongSite, .wrongEpoch(expected: 1, given: 2), .wrongState,
            .wrongBase(from: 1, to: 2, having: 3), .truncated, .wrongCounts, .peopleOverreach(kind: 1), .scopeExceeded(.noEnd, offset: 1),
            .stateDiffers, .rollback(have: 2, given: 1), .records(.rulesTooLong), .finished
        ]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.message.hasSuffix(".") })
    }
}
