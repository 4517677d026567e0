import Credentials
import Cryptography
import Encoding
import Testing
@testable import Evidence
@testable import PhoneProtocol

/// What genuine evidence proves, with which keys, and what it says of the rest.
@Suite struct EvidenceVerificationTests {
    let site: AuditSite

    init() throws { site = try AuditSite() }

    func report(_ tap: AuditSite.Tap = AuditSite.Tap(), against trust: EvidenceTrust? = nil) throws -> EvidenceReport {
        try EvidenceVerification.verify(site.file(tap), against: trust ?? site.trust(tap))
    }

    @Test(arguments: [AuditSite.Shown.token, .tokenByReference, .tokenBesideClaims])
    func aGrantToATokenHolds(shown: AuditSite.Shown) throws {
        let report = try report(AuditSite.Tap(shown: shown))
        #expect(report.faults == [] && report.holds)
        #expect(report.names == EvidenceCheck.Name.allCases.filter { ![.kept, .person, .revocation].contains($0) })
        #expect(report.record?.subject == "anna" && report.site == "north")
    }

    @Test func aGrantToAnEnrolledKeyHolds() throws {
        let report = try report(AuditSite.Tap(shown: .enrolled))
        #expect(report.holds && report.names.contains(.rights))
        #expect(try EvidenceQuestion(about: site.file(AuditSite.Tap(shown: .enrolled)))?.enrolledKey == site.phoneSigning.publicKey.thumbprint)
        #expect(try EvidenceQuestion(about: site.file())?.enrolledKey == nil)
    }

    @Test func aGateThatShowsATokenOfTheGateIssuerIsKnown() throws {
        let tap = AuditSite.Tap(isEmergency: true)
        #expect(try report(tap).holds)
        var trust = site.trust()
        trust.gates.removeLast()
        #expect(try report(tap, against: trust).faults == [.gateUnknown])
        // The key may be known; what the gate showed is the token.
        trust.gates = [.issuer(GateIssuer(site: "south", name: "north-gates", key: site.gateIssuer.publicKey))]
        #expect(try report(tap, against: trust).faults == [.gateUnknown])
    }

    /// A key that was stolen makes false evidence from then on, not before; the time is the word of who has it.
    @Test func aGateKeyCountsUntilItIsDropped() throws {
        var trust = site.trust()
        let key = site.gateSigning.publicKey
        trust.gateEnds[key] = AuditSite.time + 1
        #expect(try report(against: trust).holds)
        trust.gateEnds[key] = AuditSite.time
        #expect(try report(against: trust).faults == [.gateDropped])
        #expect(try report(AuditSite.Tap(isEmergency: true), against: trust).faults == [.gateDropped], "also by value")
    }

    @Test func inMethodOneOnlyThePhoneSigns() throws {
        let report = try report(AuditSite.Tap(method: .initiatorSigns))
        #expect(report.holds && !report.names.contains(.gateSignature))
    }

    /// MACs prove nothing to somebody who was not there, however well everything fits.
    @Test(arguments: [EDHOCMethod.bothAgree, .responderSigns], [AuditSite.Shown.token, .enrolled])
    func aMACProvesNothing(method: EDHOCMethod, shown: AuditSite.Shown) throws {
        let report = try report(AuditSite.Tap(method: method, shown: shown))
        #expect(report.faults == [.onlyMAC] && !report.holds)
        #expect(report.checks.first { $0.name == .phone }?.sentence.contains("proves nothing to anybody else") == true)
    }

    @Test func whatNobodyGaveIsOpenAndNotHeld() throws {
        let nothing = try report(against: EvidenceTrust())
        #expect(nothing.faults == [.issuerNotGiven, .gateNotGiven, .auditKeyNotGiven] && !nothing.holds)
        #expect(nothing.faults.allSatisfy { $0.isOpen })
        #expect(try report(AuditSite.Tap(shown: .enrolled), against: EvidenceTrust()).faults == [.enrolmentNotGiven, .gateNotGiven, .auditKeyNotGiven])
    }

    @Test func otherPeoplesKeysDoNotHold() throws {
        var trust = try AuditSite().trust()
        #expect(try report(against: trust).faults == [.issuerUnknown, .gateUnknown, .auditKeyUnknown])
        trust = site.trust()
        trust.phoneKey = site.issuer.publicKey.thumbprint
        #expect(try report(against: trust).faults == [.otherPhone])
        trust.phoneKey = site.phoneSigning.publicKey.thumbprint
        #expect(try report(against: trust).holds)
        let enrolled = AuditSite.Tap(shown: .enrolled)
        trust.enrolled = [KnownEnrolment(site.enrolled(AuditSite.Tap(subject: "bert")))]
        #expect(try report(enrolled, against: trust).faults == [.enrolmentDiffers])
    }

    /// The hash that the phone was told in OUTCOME is that of its own record.
    @Test func aHashThatWasKeptNamesTheRecord() throws {
        let file = try site.file()
        var trust = site.trust()
        trust.keptHash = file.hash
        let report = EvidenceVerification.verify(file, against: trust)
        #expect(report.holds && report.names.contains(.kept) && !report.limits.contains(.journal))
        trust.keptHash = file.previous
        #expect(EvidenceVerification.verify(file, against: trust).faults == [.otherRecord])
    }

    @Test func itSaysWhatItDoesNotProve() throws {
        #expect(try report().limits == EvidenceLimit.allCases.filter { $0 != .exchange && $0 != .gate })
        #expect(try report(AuditSite.Tap(method: .initiatorSigns)).limits == EvidenceLimit.allCases.filter { $0 != .gate })
        var trust = site.trust()
        trust.phoneKey = site.phoneSigning.publicKey.thumbprint
        #expect(try report(AuditSite.Tap(userVerification: true), against: trust).limits == [.presence, .passage, .time, .journal, .revocation])
        let enrolled = AuditSite.Tap(shown: .enrolled, userVerification: true)
        #expect(try report(enrolled).limits.contains(.verification) == false)
        #expect(try report(enrolled, against: EvidenceTrust()).limits.contains(.verification))
    }

    static let validities: [((Int64, Int64), Bool)] = [((0, 1), true), ((-1, 0), false), ((1, 2), false), ((-9, 9), true)]

    @Test(arguments: validities) func theTokenWasValidThen(validity: (Int64, Int64), wasValid: Bool) throws {
        #expect(try report(AuditSite.Tap(validity: validity)).faults == (wasValid ? [] : [.rightsDiffer]))
    }

    static let audiences: [(String, Bool)] = [
        ("tapstile:north", true), ("tapstile:north/hall", true), ("tapstile:north/hall/entry", true), ("tapstile:north/-/entry", true),
        ("tapstile:north/hall/exit", false), ("tapstile:northern", false), ("tapstile:south", false),
        ("tapstile:north/hall/entry/x", false), ("entry", false), ("tapstile:north/", false),
        ("tapstile:north//", false), ("tapstile:north//entry", false), ("tapstile:north/hall/", false)
    ]

    @Test(arguments: audiences) func theTokenIsForTheLane(audience: String, covers: Bool) throws {
        #expect(try report(AuditSite.Tap(audience: audience)).faults == (covers ? [] : [.rightsDiffer]))
    }

    @Test func theTokenAllowsTheCommand() throws {
        let tap = AuditSite.Tap(request: PhoneRequest(carrier: .nfc, lane: "entry", namedCommand: "hold"))
        #expect(try report(tap).faults == [.rightsDiffer])
    }

    static let gateTimes: [(Int64, Bool)] = [(0, true), (-10, true), (10, true), (11, false), (-11, false), (.max - 1_800_000_000, false), (.min, false)]

    @Test(arguments: gateTimes) func theTimeThatThePhoneSignedIsTheRecords(offset: Int64, agrees: Bool) throws {
        let tap = AuditSite.Tap(gateTime: AuditSite.time &+ offset)
        #expect(try report(tap).faults == (agrees ? [] : [.timeDiffers]))
    }

    /// Records from before PLAINTEXT_2 was kept: the signature can be checked, where it was made cannot.
    @Test func evidenceOfTheOldFormatIsReadAndFoundWanting() throws {
        let tap = AuditSite.Tap()
        let items = try #require(try CBOR.decode(site.evidence(tap).encoded).array)
        let evidence = try site.evidence(tap)
        let gate = try #require(evidence.gate)
        let new = try #require(try CBOR.decode(evidence.encoded).array)
        #expect(items.count == new.count)
        let old = try #require(TapEvidence(parsing: CBOR.array([new[1], new[2], .bytes(gate.transcript3)] + new[7...]).encoded))
        let report = EvidenceVerification.verify(site.file(around: try site.record(tap, old)), against: site.trust())
        #expect(report.faults == [.oldFormat])
        #expect(report.checks.filter { $0.fault == .oldFormat }.map(\.name) == [.place, .time, .gate])
        #expect(report.checks.first { $0.name == .phone }?.holds == true)
    }
}
