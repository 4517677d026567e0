import Credentials
import Cryptography
import Encoding
import SiteData
import Testing

/// UID-only cards travel like everything else that a site publishes (V8).
@Suite struct PublishedCardsTests {
    static func cards() throws -> [PublicationRecord] {
        [
            .uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([0x04, 1, 2, 3, 4, 5, 6]), subject: "anna")),
            .uidOnlyCard(UIDOnlyCard(number: try UIDOnlyCardNumber([1, 2, 3, 4]), subject: "ben", audiences: ["tapstile:hq/lobby"], notBefore: 5,
                                 expiresAt: 10))
        ]
    }

    @Test(arguments: [1, 7, 100_000]) func theyComeBackInPiecesOfAnySize(_ pieces: Int) throws {
        var fixture = try PublicationFixture()
        fixture.records += try Self.cards()
        let (manifest, records) = try fixture.read(fixture.file(), pieces: pieces)
        #expect(records == fixture.records)
        #expect(manifest.counts.uidOnlyCards == 2)
        #expect(manifest.counts.total == 13)
    }

    private func refusal(_ body: [UInt8], count: CBOR?) throws -> PublicationError? {
        let fixture = try PublicationFixture()
        var fields: CBORMap = [
            1: 1, 2: "hq", 3: 5, 4: CBOR(fixture.issuedAt), 5: CBOR(fixture.expiresAt), 6: CBOR(Int64(body.count)),
            7: .bytes(SHA256.hash(body)), 8: [0, 0, 0, 0]
        ]
        fields[10] = count
        let head = try COSESign1.sign(payload: CBOR.map(fields).encoded, protected: [3: "application/tapstile-publication"], key: fixture.siteKey)
        return fixture.refusal(of: head.encoded + body)
    }

    @Test func otherNumbersOfCardsThanSigned() throws {
        let body = try Self.cards().flatMap(\.encoded)
        for count: CBOR? in [nil, 1, 3] { #expect(try refusal(body, count: count) == .wrongCounts) }
        for count: CBOR in [0, [2], "2", -2] { #expect(try refusal(body, count: count) == .malformedManifest) }
        #expect(try refusal(body, count: 2) == nil)
    }

    @Test func recordsThatAreNone() throws {
        let number: CBOR = .bytes([4, 1, 2, 3, 4, 5, 6])
        let records: [CBOR] = [
            [12], [12, number, "anna", []], [12, number, "anna", [], .null], [12, number, "anna", [], .null, .null, true],
            [12, "04010203040506", "anna", [], .null, .null], [12, .bytes([1, 2, 3]), "anna", [], .null, .null],
            [12, .bytes([8, 1, 2, 3]), "anna", [], .null, .null], [12, number, "", [], .null, .null], [12, number, "anna", ["x", 1], .null, .null],
            [12, number, "anna", .null, .null, .null], [12, number, "anna", [], -1, .null], [12, number, "anna", [], .null, "soon"]
        ]
        for record in records { #expect(try refusal(record.encoded, count: 1) == .malformedRecord(offset: 0), "\(record)") }
        let good: CBOR = [12, number, "anna", ["tapstile:hq"], 1, 2]
        #expect(try refusal(good.encoded, count: 1) == nil)
    }
}
