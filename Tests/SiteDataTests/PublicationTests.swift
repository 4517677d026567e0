import Credentials
import Cryptography
import Encoding
import SiteData
import Testing
import Vocabulary

@Suite struct PublicationTests {
    @Test(arguments: [1, 2, 7, 100, 333, 100_000]) func comesBackInPiecesOfAnySize(_ pieces: Int) throws {
        let fixture = try PublicationFixture()
        let (manifest, records) = try fixture.read(fixture.file(), pieces: pieces)
        #expect(records == fixture.records)
        #expect(manifest.site == "hq")
        #expect(manifest.version == 5)
        #expect(manifest.issuedAt == fixture.issuedAt)
        #expect(manifest.expiresAt == fixture.expiresAt)
        #expect(manifest.counts.issuers == 1)
        #expect(manifest.counts.gateCredentials == 1)
        #expect(manifest.counts.enrolled == 3)
        #expect(manifest.counts.revocations == 6)
        #expect(manifest.counts.total == 11)
    }

    @Test func manifestIsKnownBeforeTheRecords() throws {
        let fixture = try PublicationFixture()
        let file = try fixture.file()
        var reader = CBORReader(file)
        _ = try reader.next()
        var publication = fixture.reader
        #expect(try publication.feed(Array(file[..<(reader.offset - 1)])).isEmpty)
        #expect(publication.manifest == nil)
        #expect(try publication.feed([file[reader.offset - 1]]).isEmpty)
        #expect(publication.manifest?.version == 5)
    }

    @Test func emptyBody() throws {
        var fixture = try PublicationFixture()
        fixture.records = []
        #expect(try fixture.read(fixture.file()).1.isEmpty)
    }

    /// The records are small arrays; their bytes are the format.
    @Test func bytesOfRecords() throws {
        #expect(PublicationRecord.revocation(.subject("m")).encoded == [0x83, 0x04, 0x03, 0x61, 0x6D])
        #expect(PublicationRecord.revocation(.suspended("m")).encoded == [0x83, 0x04, 0x05, 0x61, 0x6D])
        #expect(PublicationRecord.gateCredential([1]).encoded == [0x82, 0x02, 0x41, 0x01])
        let key = try PublicKey(curve: .x25519, x: [UInt8](repeating: 9, count: 32), y: nil)
        let record = PublicationRecord.enrolled(EnrolledKey(keyIdentifier: [1], key: key, use: .agree, subject: "m"))
        #expect(record.encoded == [0x8B, 0x03, 0x41, 0x01, 0x02, 0x04, 0x58, 0x20] + key.x
            + [0xF6, 0x61, 0x6D, 0x81, 0x64, 0x74, 0x6F, 0x6B, 0x6E, 0x80, 0xF6, 0xF6])
    }

    /// V6: the field is there for an attested key only, so that a record has one form.
    @Test func anAttestedKeyHasOneFieldMore() throws {
        let key = try SigningKey.generate(.p256).publicKey
        func enrolled(_ attested: Bool) -> EnrolledKey {
            EnrolledKey(keyIdentifier: [1], key: key, use: .sign, subject: "m", userVerification: attested)
        }
        let plain = PublicationRecord.enrolled(enrolled(false)).encoded, attested = PublicationRecord.enrolled(enrolled(true)).encoded
        #expect(attested == [plain[0] + 1] + plain.dropFirst() + [0xF5])
        var fixture = try PublicationFixture()
        fixture.records = [.enrolled(enrolled(true)), .enrolled(enrolled(false))]
        #expect(try fixture.read(fixture.file()).1 == fixture.records)
    }

    @Test func wrongSite() throws {
        var fixture = try PublicationFixture()
        fixture.expectedSite = "other"
        #expect(try fixture.refusal(of: fixture.file()) == .wrongSite)
    }

    /// What the site said then counts, whatever the time is.
    @Test func onesThatAreOverAreRead() throws {
        var fixture = try PublicationFixture()
        (fixture.issuedAt, fixture.expiresAt) = (1, 2)
        #expect(try fixture.refusal(of: fixture.file()) == nil)
    }

    @Test func timesEndWithTheYear9999() throws {
        var fixture = try PublicationFixture()
        fixture.expiresAt = SitePublication.latestTime
        #expect(try fixture.refusal(of: fixture.file()) == nil)
        fixture.expiresAt = SitePublication.latestTime + 1
        #expect(try fixture.refusal(of: fixture.file()) == .malformedManifest)
    }

    @Test func signedByAnotherKey() throws {
        let fixture = try PublicationFixture(), other = try PublicationFixture()
        #expect(try fixture.refusal(of: other.file()) == .badSignature)
    }

    @Test func nothingIsGivenOutBeforeTheSignatureIsGood() throws {
        let fixture = try PublicationFixture(), other = try PublicationFixture()
        var reader = fixture.reader
        #expect(throws: PublicationError.badSignature) { try reader.feed(other.file()) }
        #expect(throws: PublicationError.finished) { try reader.feed([0]) }
        #expect(throws: PublicationError.finished) { try reader.finish() }
    }

    @Test func signatureForSomethingElse() throws {
        let fixture = try PublicationFixture()
        let file = try COSESign1.sign(payload: [0xA0], key: fixture.siteKey).encoded
        #expect(fixture.refusal(of: file) == .wrongContentType)
    }

    @Test func everyChangedByteIsRefused() throws {
        let fixture = try PublicationFixture()
        let file = try fixture.file()
        for index in file.indices {
            var changed = file
            changed[index] ^= 0x01
            #expect(fixture.refusal(of: changed) != nil, "byte \(index)")
        }
    }

    @Test func everyShorterFileIsRefused() throws {
        let fixture = try PublicationFixture()
        let file = try fixture.file()
        #expect(fixture.refusal(of: []) == .notAPublication)
        for length in 1..<file.count { #expect(fixture.refusal(of: Array(file.prefix(length))) == .truncated, "\(length) bytes") }
    }

    @Test func moreThanTheBody() throws {
        let fixture = try PublicationFixture()
        #expect(try fixture.refusal(of: fixture.file() + [0]) == .bodyTooLong)
    }
}
