import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Testing

/// What a site decided about time and places travels like everything else that it publishes.
@Suite struct PublishedRulesTests {
    static let office = Schedule(name: "office", week: [.monday: [.wholeDay]])
    static let rules: [PublicationRecord] = [
        .rule(.schedule(office)), .rule(.access(AccessRule(group: "staff", lanes: ["entry"], schedule: "office"))),
        .rule(.membership(Membership(group: "staff", subject: "anna"))), .rule(.membership(Membership(group: "staff", subject: "ben")))
    ]

    @Test(arguments: [1, 7, 100, 100_000]) func theyComeBackInPiecesOfAnySize(_ pieces: Int) throws {
        var fixture = try PublicationFixture()
        fixture.records += Self.rules
        let (manifest, records) = try fixture.read(fixture.file(), pieces: pieces)
        #expect(records == fixture.records)
        #expect(manifest.counts.rules == 2)
        #expect(manifest.counts.memberships == 2)
        #expect(manifest.counts.total == 15)
    }

    @Test func otherNumbersOfRulesThanSigned() throws {
        let fixture = try PublicationFixture()
        for counts: CBOR in [[2, 3], [3, 2], [0, 0], [2], [2, 2, 0], "2"] {
            let body = Self.rules.flatMap(\.encoded)
            let manifest: CBOR = [
                1: 1, 2: "hq", 3: 5, 4: CBOR(fixture.issuedAt), 5: CBOR(fixture.expiresAt), 6: CBOR(Int64(body.count)),
                7: .bytes(SHA256.hash(body)), 8: [0, 0, 0, 0], 9: counts
            ]
            let head = try COSESign1.sign(payload: manifest.encoded, protected: [3: "application/tapstile-publication"], key: fixture.siteKey)
            let refusal = fixture.refusal(of: head.encoded + body)
            #expect(refusal == .wrongCounts || refusal == .malformedManifest, "\(counts)")
        }
    }

    /// A publication has one form: no rules are not counted.
    @Test func noRulesAreNotCounted() throws {
        let fixture = try PublicationFixture()
        let manifest: CBOR = [
            1: 1, 2: "hq", 3: 5, 4: CBOR(fixture.issuedAt), 5: CBOR(fixture.expiresAt), 6: 0, 7: .bytes(SHA256.hash([])), 8: [0, 0, 0, 0], 9: [0, 0]
        ]
        let head = try COSESign1.sign(payload: manifest.encoded, protected: [3: "application/tapstile-publication"], key: fixture.siteKey)
        #expect(fixture.refusal(of: head.encoded) == .malformedManifest)
    }

    @Test func aSecondDecisionAboutOneThing() throws {
        var fixture = try PublicationFixture()
        fixture.records += Self.rules + [.rule(.schedule(Self.office))]
        #expect(try fixture.refusal(of: fixture.file()) == .duplicateRule(.duplicate(what: "schedule", name: "office")))
    }

    @Test func wordsComeInOneFileAsTheyDoInARepository() throws {
        let words = try ["en", "de"].map { language in PublicationRecord.message(try #require(SiteMessage(language: language, name: "granted", text: "Welcome"))) }
        var fixture = try PublicationFixture()
        fixture.records += words
        #expect(try fixture.refusal(of: fixture.file()) == nil)
        fixture.records.append(try #require(words.first))
        #expect(try fixture.refusal(of: fixture.file()) == .duplicateRule(.duplicate(what: "word in en", name: "granted")))
        fixture.records = [.ceiling(.standard)]
        #expect(try fixture.refusal(of: fixture.file()) == .unknownRecord(offset: 0), "who signs this file is bound by none")
    }

    /// A gate holds rules in memory; memberships are rows.
    @Test func rulesAreFewAndMembershipsMany() throws {
        func records(_ bytes: Int) -> [PublicationRecord] {
            let lanes = (0..<250).map { number in String(repeating: "x", count: 200) + "\(number)" }
            let record = PublicationRecord.rule(.access(AccessRule(group: "staff", lanes: lanes)))
            return Array(repeating: record, count: bytes / record.encoded.count)
        }
        var fixture = try PublicationFixture()
        fixture.records = records(SitePublication.longestRules)
        #expect(try fixture.refusal(of: fixture.file()) == nil)
        fixture.records = records(SitePublication.longestRules + 60_000)
        #expect(try fixture.refusal(of: fixture.file()) == .rulesTooLong)
        fixture.records = (0..<50_000).map { .rule(.membership(Membership(group: "staff", subject: "person number \($0)"))) }
        #expect(try fixture.refusal(of: fixture.file()) == nil)
    }

    @Test func aRecordThatIsNoRule() throws {
        let fixture = try PublicationFixture()
        for (body, refusal) in [([0x82, 0x0B, 0x61], nil), ([0x82, 0x0B, 0x01], PublicationError.malformedRecord(offset: 0)),
                                ([0x82, 0x0D, 0x01], .unknownRecord(offset: 0))] as [([UInt8], PublicationError?)] {
            let manifest: CBOR = [
                1: 1, 2: "hq", 3: 5, 4: CBOR(fixture.issuedAt), 5: CBOR(fixture.expiresAt), 6: CBOR(Int64(body.count)),
                7: .bytes(SHA256.hash(body)), 8: [0, 0, 0, 0]
            ]
            let head = try COSESign1.sign(payload: manifest.encoded, protected: [3: "application/tapstile-publication"], key: fixture.siteKey)
            #expect(fixture.refusal(of: head.encoded + body) == refusal ?? .truncated || refusal == nil)
        }
    }
}
