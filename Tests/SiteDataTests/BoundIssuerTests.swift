import Credentials
import Cryptography
import Encoding
import Testing
@testable import SiteData

/// A token issuer with the most that it may say, as a record of the site's part.
@Suite struct BoundIssuerTests {
    private let key: PublicKey

    init() throws { key = try SigningKey.generate().publicKey }

    private func bound(_ ceiling: IssuerCeiling? = IssuerCeiling(), name: String = "visitors") -> PublicationRecord {
        .issuer(TokenIssuer(name: name, key: key, ceiling: ceiling))
    }

    @Test func itsRecordHasOneForm() throws {
        let whole = IssuerCeiling(commands: ["tokn", "hold"], audiences: ["tapstile:hq/lobby"], schedule: "days", longest: 3600, userVerification: true, until: 9,
                                  isOff: true)
        for ceiling in [whole, IssuerCeiling()] {
            let record = bound(ceiling)
            #expect(record.kind == 15)
            #expect(try PublicationRecord(cbor: CBOR.decode(record.encoded)) == record)
            #expect(IssuerCeiling(encoded: ceiling.encoded) == ceiling)
        }
        #expect(bound(nil).kind == 1 && bound(nil).encoded[1] == 1, "one without is as ever")
    }

    @Test func whatIsNoneIsRefused() throws {
        let fields: [CBOR] = [.array(["tokn"]), .array([]), .null, 60, .false, .null, .false]
        func refusal(_ change: (inout [CBOR]) -> Void) -> PublicationRecord.Fault? {
            var changed = fields
            change(&changed)
            do throws(PublicationRecord.Fault) {
                _ = try PublicationRecord(cbor: .array([15, "visitors", COSEKey(key: key).cbor] + changed))
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { _ in } == nil)
        let changes: [(inout [CBOR]) -> Void] = [
            { $0[0] = "tokn" }, { $0[0] = .array([""]) }, { $0[1] = .null }, { $0[2] = "" }, { $0[2] = 1 }, { $0[3] = 0 }, { $0[3] = -1 }, { $0[3] = .null },
            { $0[4] = .null }, { $0[5] = -1 }, { $0[5] = CBOR(SitePublication.latestTime + 1) }, { $0[5] = "x" }, { $0[6] = 0 }, { $0.removeLast() }, { $0.append(.null) }, { $0 = [] }
        ]
        for (index, change) in changes.enumerated() { #expect(refusal(change) == .malformed, "case \(index)") }
        #expect(IssuerCeiling(encoded: []) == nil && IssuerCeiling(encoded: [0xF6]) == nil)
    }

    /// One name has one record: no second one widens the first.
    @Test func aSecondRecordOfTheNameIsRefused() throws {
        var counts = PublicationCounts()
        for record in [bound(nil), bound()] { counts.count(record) }
        let header = try BundleHeader(part: .site, site: "hq", epoch: 1, version: 1, counts: counts, needs: "1")
        var writer = BundleWriter(header)
        _ = try writer.add(.put(bound()))
        #expect(throws: BundleError.unsorted(offset: UInt64(writer.head.count + bound().encoded.count))) { try writer.add(.put(bound(nil))) }
        let file = writer.head + bound().encoded + bound(nil).encoded
        #expect(BundleReader.refusal(of: file, BundleExpectation(site: "hq", epoch: 1))?.code == "bundle-unsorted")
    }

    @Test func namesInItAreNames() {
        for name in ["da\u{200B}ys", "days "] {
            for ceiling in [IssuerCeiling(commands: [name]), IssuerCeiling(audiences: [name]), IssuerCeiling(schedule: name)] {
                #expect(bound(ceiling).nameFlaw?.name == name)
            }
        }
        #expect(bound().nameFlaw == nil)
    }

    /// Whoever signs people switches an issuer off; who may say more is not theirs to say.
    @Test func peopleSwitchAnIssuerOffAndWidenNothing() throws {
        let off = PublicationRecord.revocation(.issuer("visitors"))
        #expect(try PublicationRecord(cbor: CBOR.decode(off.encoded)) == off)
        #expect(throws: PublicationRecord.Fault.malformed) { try PublicationRecord(cbor: [4, 6, ""]) }
        #expect(throws: PublicationRecord.Fault.malformed) { try PublicationRecord(cbor: [4, 7, "visitors"]) }
        let key = RecordKey(off)
        #expect(key.bytes == [6] + Array("visitors".utf8))
        #expect(try RecordKey(goneOf: 4, key.bytes) == key)
        #expect(BundlePart.people.kinds.contains(4) && !BundlePart.people.kinds.contains(15) && BundlePart.site.kinds.contains(15))
        try Ceiling.standard.check(off, issuedAt: 0)
    }
}
