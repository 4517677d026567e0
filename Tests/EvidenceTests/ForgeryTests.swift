import Credentials
import Cryptography
import Encoding
import Testing
@testable import Evidence
@testable import PhoneProtocol

/// Every way to make evidence say something else: what is found, and what nobody vouches for.
@Suite struct ForgeryTests {
    let site: AuditSite

    init() throws { site = try AuditSite() }

    func faults(_ file: EvidenceFile) -> Set<EvidenceFault> { EvidenceVerification.verify(file, against: site.trust()).faults }

    /// A record with one field changed, hashed and signed anew: whoever owns the gate, its audit key too, can do that.
    func faults(_ record: [UInt8], _ label: UInt64, _ value: CBOR?) throws -> Set<EvidenceFault> {
        faults(site.file(around: try Self.changed(record, label, value)))
    }

    static func changed(_ record: [UInt8], _ label: UInt64, _ value: CBOR?) throws -> [UInt8] {
        var map = try #require(try CBOR.decode(record).map)
        map[.unsigned(label)] = value
        return CBOR.map(map).encoded
    }

    /// Labels of docs/evidence.md.
    static let lies: [(UInt64, CBOR, EvidenceFault)] = [
        (0, 2, .recordUnreadable), (1, "unproven", .noGrant), (4, "attempt", .noGrant), (5, 1_800_000_100_000, .timeDiffers), (5, CBOR(Int64.min), .recordUnreadable),
        (8, "exit", .placeDiffers), (10, "ble", .placeDiffers), (11, .bytes([1]), .transcriptDiffers), (12, 6, .attemptDiffers),
        (13, "bert", .credentialDiffers), (14, .bytes([1]), .credentialDiffers), (15, "expired", .noGrant), (16, false, .noGrant),
        (17, .bytes([1]), .unreadable), (18, ["command": "hold"], .commandDiffers), (19, .bytes([1]), .attemptDiffers)
    ]

    @Test(arguments: lies) func whatARecordSaysIsHeldAgainstTheSignature(label: UInt64, value: CBOR, fault: EvidenceFault) throws {
        let tap = AuditSite.Tap()
        let record = try site.record(tap, site.evidence(tap))
        #expect(faults(site.file(around: record)) == [])
        #expect(try faults(record, label, value).contains(fault))
        #expect(try faults(record, label, nil) != [], "without it")
    }

    /// Fields for which there is only the gate's word, as docs/evidence.md says; whatever the record says there, the
    /// evidence holds. A test, so that nobody believes more of it.
    static let ownWord: [(UInt64, CBOR)] = [
        (2, 18), (5, 1_800_000_009_000), (6, 1), (7, 100), (18, ["command": "tokn", "rule": "another"])
    ]

    @Test(arguments: ownWord) func forSomeFieldsThereIsOnlyTheGatesWord(label: UInt64, value: CBOR) throws {
        let tap = AuditSite.Tap()
        #expect(try faults(site.record(tap, site.evidence(tap)), label, value) == [])
    }

    /// A gate that told the phone another place than it recorded; a true one would have stopped.
    static let twoTongues: [AuditSite.Tap] = [AuditSite.Tap(gateLane: "exit"), AuditSite.Tap(gateCarrier: .ble)]

    @Test(arguments: twoTongues) func whatTheGateSaidIsHeldAgainstTheRecord(tap: AuditSite.Tap) throws {
        #expect(try faults(site.file(tap)) == [.placeDiffers])
    }

    /// Boot and reader stand in both parts, and nobody but the gate says either.
    static let ownWordTwice: [(UInt64, CBOR)] = [(3, .bytes([1])), (9, "door")]

    @Test(arguments: ownWordTwice) func soItIsForBootAndReader(label: UInt64, value: CBOR) throws {
        let tap = AuditSite.Tap()
        let record = try site.record(tap, site.evidence(tap))
        let attempt = try #require(try CBOR.decode(record)[.unsigned(19)]?.bytes)
        let moved = try Self.changed(record, 19, .bytes(Self.changed(attempt, label, value)))
        #expect(try faults(moved, label, value) == [])
        #expect(faults(site.file(around: moved)) == [.attemptDiffers], "in one part alone")
    }

    static let ownWordOfTheAttempt: [(UInt64, CBOR)] = [(5, 1_700_000_000_000), (6, 1), (7, 1)]

    @Test(arguments: ownWordOfTheAttempt) func soItIsForTheTimeOfTheAttempt(label: UInt64, value: CBOR) throws {
        let tap = AuditSite.Tap()
        let record = try site.record(tap, site.evidence(tap))
        let attempt = try #require(try CBOR.decode(record)[.unsigned(19)]?.bytes)
        #expect(try faults(record, 19, .bytes(Self.changed(attempt, label, value))) == [])
    }

    static let attemptLies: [(UInt64, CBOR)] = [
        (2, 6), (3, .bytes([1])), (4, "outcome"), (8, "exit"), (9, "door"), (10, "ble"), (11, .bytes([UInt8](repeating: 1, count: 32)))
    ]

    @Test(arguments: attemptLies) func theAttemptBelongsToTheSameExchange(label: UInt64, value: CBOR) throws {
        let tap = AuditSite.Tap()
        let record = try site.record(tap, site.evidence(tap))
        let attempt = try #require(try CBOR.decode(record)[.unsigned(19)]?.bytes)
        #expect(try faults(record, 19, .bytes(Self.changed(attempt, label, value))) == [.attemptDiffers])
    }

    /// The file as it is, one bit changed.
    @Test func everyBitOfTheFileCounts() throws {
        let encoded = try site.file().encoded
        let whole = try EvidenceFile(parsing: encoded)
        #expect(faults(whole) == [])
        for index in encoded.indices {
            var changed = encoded
            changed[index] ^= 0x01
            guard let file = try? EvidenceFile(parsing: changed) else { continue }
            #expect(!faults(file).isEmpty, "byte \(index)")
        }
    }

    /// Each field of the evidence changed, and all hashes of the record made to fit: only the signatures are left.
    @Test func everyFieldOfTheEvidenceIsSigned() throws {
        let tap = AuditSite.Tap()
        let items = try #require(try CBOR.decode(site.evidence(tap).encoded).array)
        for place in items.indices.dropFirst(2) {
            guard let bytes = items[place].bytes else { continue }
            for index in bytes.indices {
                var changed = items
                var forged = bytes
                forged[index] ^= 0x01
                changed[place] = .bytes(forged)
                guard let evidence = TapEvidence(parsing: CBOR.array(changed).encoded) else { continue }
                let found = faults(site.file(around: try site.record(tap, evidence)))
                #expect(!found.isDisjoint(with: [.signatureWrong, .gateSignatureWrong, .unreadable]), "item \(place), byte \(index)")
            }
        }
    }

    /// Evidence of another tap in the record of this one.
    static let others: [(String, AuditSite.Tap)] = [
        ("lane", AuditSite.Tap(lane: "exit")), ("gate", AuditSite.Tap(gateName: "gate-2")), ("person", AuditSite.Tap(subject: "bert")),
        ("credential", AuditSite.Tap(shown: .enrolled)), ("the same again", AuditSite.Tap())
    ]

    @Test(arguments: others) func evidenceOfAnotherTapDoesNotFit(what: String, other: AuditSite.Tap) throws {
        let tap = AuditSite.Tap()
        let record = try site.record(tap, site.evidence(tap))
        let found = try faults(record, 17, .bytes(site.evidence(other).encoded))
        #expect(found.isSuperset(of: [.transcriptDiffers, .attemptDiffers]), "\(what)")
    }

    /// Somebody with a phone's key and the gate's public credential invents a tap: the gate never signed it.
    @Test func aTapWithoutTheGateIsFound() throws {
        let tap = AuditSite.Tap()
        let genuine = try site.evidence(tap), gate = try #require(genuine.gate)
        let invented = GateStatement(
            transcript2: [UInt8](repeating: 1, count: 32), plaintext2: gate.plaintext2, mac2: gate.mac2,
            credential: gate.credential, method: .bothSign)
        let context = ProofContext(
            identifier: genuine.identifier, transcript: invented.transcript3, credential: genuine.credential, ead: genuine.ead)
        let signature = try context.prove(mac: genuine.mac, key: .signing(site.phoneSigning))
        var items = try #require(try CBOR.decode(genuine.encoded).array)
        items[3] = .bytes(invented.transcript2)
        items[10] = .bytes(signature)
        let evidence = try #require(TapEvidence(parsing: CBOR.array(items).encoded))
        #expect(faults(site.file(around: try site.record(tap, evidence))) == [.gateSignatureWrong])
    }

    /// A token that was seen somewhere, beside a key of one's own.
    @Test func aTokenForAnotherKeyIsFound() throws {
        #expect(try faults(site.file(AuditSite.Tap(shown: .tokenBesideClaims, isTokenOfAnother: true))) == [.credentialDiffers])
        // By value there is no other key than the token's.
        #expect(try faults(site.file(AuditSite.Tap(shown: .token, isTokenOfAnother: true))) == [.signatureWrong])
    }

    /// The gate's own credential in the place of a person's.
    @Test func aGateIsNoPerson() throws {
        let tap = AuditSite.Tap(shown: .enrolled)
        let mirror = AuditSite(signing: site.gateSigning, everythingElseOf: site)
        let file = try mirror.file(tap)
        #expect(EvidenceVerification.verify(file, against: mirror.trust(tap)).faults == [.credentialDiffers])
    }

    @Test func aHashThatIsNotTheRecordsIsFound() throws {
        let file = try site.file()
        let outcome = file.outcome
        #expect(faults(EvidenceFile(previous: file.previous, record: file.record, hash: file.previous, outcome: outcome)) == [.recordChanged])
        #expect(faults(EvidenceFile(previous: file.hash, record: file.record, hash: file.hash, outcome: outcome)) == [.recordChanged, .outcomeDiffers])
    }
}
