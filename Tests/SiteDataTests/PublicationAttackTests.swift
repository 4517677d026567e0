import Credentials
import Cryptography
import Encoding
import SiteData
import Testing

/// Publications that are signed by the site key and wrong all the same, and floods that are not.
@Suite struct PublicationAttackTests {
    let fixture: PublicationFixture
    init() throws { fixture = try PublicationFixture() }

    private func signed(_ payload: CBOR, unprotected: CBORMap = CBORMap()) throws -> [UInt8] {
        try COSESign1.sign(payload: payload.encoded, protected: [3: "application/tapstile-publication"], unprotected: unprotected,
                           key: fixture.siteKey).encoded
    }

    private func manifest(body: [UInt8], enrolled: UInt64 = 0, _ change: (inout CBORMap) -> Void = { _ in }) throws -> [UInt8] {
        var map: CBORMap = [
            1: 1, 2: "hq", 3: 5, 4: CBOR(fixture.issuedAt), 5: CBOR(fixture.expiresAt), 6: .unsigned(UInt64(body.count)),
            7: .bytes(SHA256.hash(body)), 8: [0, 0, .unsigned(enrolled), 0]
        ]
        change(&map)
        return try signed(.map(map))
    }

    private func refusal(body: CBOR...) throws -> PublicationError? {
        let bytes = CBOR.encodeSequence(body)
        return try fixture.refusal(of: manifest(body: bytes) + bytes)
    }

    @Test func unsupportedFormat() throws {
        #expect(try fixture.refusal(of: manifest(body: []) { $0[1] = 2 }) == .unsupportedFormat(2))
    }

    @Test(arguments: [CBOR](arrayLiteral: 1, 2, 3, 4, 5, 6, 7, 8)) func manifestWithoutAField(_ label: CBOR) throws {
        #expect(try fixture.refusal(of: manifest(body: []) { $0[label] = nil }) == .malformedManifest)
        #expect(try fixture.refusal(of: manifest(body: []) { $0[label] = .null }) == .malformedManifest)
    }

    @Test func manifestWithImpossibleValues() throws {
        let changes: [(inout CBORMap) -> Void] = [
            { $0[3] = 0 }, { $0[3] = .unsigned(.max) }, { $0[4] = -1 }, { $0[5] = $0[4] },
            // Whatever is a time must also be one in milliseconds.
            { $0[5] = CBOR(SitePublication.latestTime + 1) },
            { $0[4] = CBOR(Int64.max - 1); $0[5] = CBOR(Int64.max) }, { $0[7] = .bytes([1]) },
            { $0[8] = [0, 0, 0] }, { $0[8] = [0, 0, 0, -1] }
        ]
        for change in changes { #expect(try fixture.refusal(of: manifest(body: [], change)) == .malformedManifest) }
        #expect(try fixture.refusal(of: signed(1)) == .malformedManifest)
    }

    @Test func unprotectedHeaderIsRefused() throws {
        #expect(try fixture.refusal(of: signed(1, unprotected: [4: .bytes([1])])) == .notAPublication)
    }

    @Test func notAPublication() {
        for bytes: [UInt8] in [[0x00], [0xFF], [0x9F], [0xA0], Array("SQLite format 3".utf8), [0xD2, 0x84, 0x40, 0xA0, 0x40, 0x40]] {
            #expect(fixture.refusal(of: bytes) == .notAPublication)
        }
    }

    /// A byte string that promises 4 GiB is not waited for.
    @Test func endlessManifest() {
        let flood: [UInt8] = [0x84, 0x5A, 0xFF, 0xFF, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 5000)
        #expect(fixture.refusal(of: flood) == .manifestTooLong)
    }

    @Test func endlessRecord() throws {
        let body = CBOR.array([2, .bytes([UInt8](repeating: 1, count: SitePublication.longestRecord))]).encoded
        #expect(try fixture.refusal(of: manifest(body: body) + body) == .recordTooLong(offset: 0))
        let longest = CBOR.array([2, .bytes([UInt8](repeating: 1, count: SitePublication.longestRecord - 5))]).encoded
        #expect(longest.count == SitePublication.longestRecord)
        #expect(try fixture.refusal(of: manifest(body: longest) + longest) == .wrongCounts)
    }

    @Test func wrongBodyHash() throws {
        let file = try manifest(body: [0x82, 0x02, 0x41, 0x01]) + [0x82, 0x02, 0x41, 0x02]
        #expect(fixture.refusal(of: file) == .wrongBodyHash)
    }

    @Test func halfARecordAtTheEnd() throws {
        #expect(try fixture.refusal(of: manifest(body: [0x82, 0x02]) + [0x82, 0x02]) == .malformedRecord(offset: 0))
    }

    @Test func wrongCounts() throws {
        #expect(try refusal(body: [2, .bytes([1])]) == .wrongCounts)
        #expect(try fixture.refusal(of: manifest(body: [], enrolled: 1)) == .wrongCounts)
    }

    @Test func unknownKindOfRecord() throws {
        #expect(try refusal(body: [2, .bytes([1])], [13, 1]) == .unknownRecord(offset: 4))
    }

    @Test func malformedRecords() throws {
        let key = try SigningKey.generate().publicKey
        let y = try #require(key.y), text = String(repeating: "x", count: 257)
        func enrolled(_ index: Int, _ value: CBOR) -> CBOR {
            var fields: [CBOR] = [3, .bytes([1]), 1, 1, .bytes(key.x), .bytes(y), "alice", ["tokn"], [], .null, .null]
            fields[index] = value
            return .array(fields)
        }
        let thumbprint = CBOR.bytes([UInt8](repeating: 1, count: 32))
        let cases: [CBOR] = [
            1, [], ["x"], [1], [1, "", COSEKey(key: key).cbor], [1, "i", 1], [1, "i", COSEKey(key: key).cbor, 0],
            [1, "i", COSEKey(key: key, keyIdentifier: [1]).cbor], [1, "i", COSEKey(key: key, use: .sign).cbor],
            [2, .bytes([])], [2, "x"], [2], [4, 1, .bytes([1])], [4, 2, "i"], [4, 2, "i", .bytes([])], [4, 3, ""], [4, 4, .bytes([])],
            [4, 5, thumbprint], [4, 0], [4, 4, thumbprint, 1], enrolled(1, "x"), enrolled(1, .bytes([UInt8](repeating: 1, count: 65))),
            enrolled(2, 3), enrolled(3, 2), enrolled(3, 4), enrolled(4, .bytes([1])), enrolled(4, .bytes(y)), enrolled(5, .null),
            enrolled(6, .text(text)), enrolled(6, ""), enrolled(7, []), enrolled(7, [1]), enrolled(7, "tokn"), enrolled(8, .null),
            enrolled(9, -1), enrolled(9, "x"), enrolled(10, .unsigned(.max)),
            [3, .bytes([1]), 1, 4, .bytes(key.x), .null, "a", ["tokn"], [], .null, .null]
        ]
        for (index, record) in cases.enumerated() {
            #expect(try refusal(body: record) == .malformedRecord(offset: 0), "case \(index)")
        }
        #expect(try refusal(body: enrolled(6, "bob")) == .wrongCounts)
    }

    @Test func recordsMustBeDeterministic() throws {
        let body: [UInt8] = [0x82, 0x18, 0x02, 0x41, 0x01]
        #expect(try fixture.refusal(of: manifest(body: body) + body) == .malformedRecord(offset: 0))
    }

    @Test func errorsHaveCodesAndSentences() {
        let errors: [PublicationError] = [
            .notAPublication, .manifestTooLong, .badSignature, .wrongContentType, .malformedManifest, .unsupportedFormat(2), .wrongSite,
            .bodyTooLong, .truncated, .wrongBodyHash,
            .wrongCounts, .recordTooLong(offset: 1), .malformedRecord(offset: 1), .unknownRecord(offset: 1), .finished
        ]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.code.hasPrefix("publication-") && $0.message.hasSuffix(".") })
    }
}
