import Credentials
import Cryptography
import Testing
@testable import Evidence
@testable import PhoneProtocol

/// Files that are made by somebody else than a gate that granted: with a phone alone, at a desk, for another day, by whom
/// everything was taken back.
@Suite struct WorthOfEvidenceTests {
    let site: AuditSite

    init() throws { site = try AuditSite() }

    func report(_ file: EvidenceFile, _ change: (inout EvidenceTrust) -> Void = { _ in }, _ tap: AuditSite.Tap = AuditSite.Tap()) -> EvidenceReport {
        var trust = site.trust(tap)
        change(&trust)
        return EvidenceVerification.verify(file, against: trust)
    }

    // With a phone alone ------------------------------------------------------------------------------

    /// Whoever is revoked takes message_2, says nothing more, and computes the rest.
    @Test(arguments: [AuditSite.Shown.token, .enrolled]) func aPhoneAloneMakesNoFileThatHolds(shown: AuditSite.Shown) throws {
        let tap = AuditSite.Tap(shown: shown)
        let report = report(try site.fileOfAPhone(tap), { _ in }, tap)
        #expect(report.faults == [.onlyPhone] && report.verdict == .onlyPhone && !report.holds)
        #expect(report.headline.hasPrefix("evidence-only-phone: that the gate granted is not proved"))
        #expect(report.remainder?.contains("signs for every stranger") == true)
        #expect(report.checks.first { $0.name == .grant }?.sentence.hasPrefix("The record says") == true)
    }

    /// Granted, and the relay failed: no alibi for somebody who says that they were let in.
    @Test func aGrantWhoseRelayFailedSaysSo() throws {
        let file = try site.file(), signed = try #require(file.outcome)
        let outcome = SignedOutcome.sign(
            site: signed.site, gate: signed.gate, recordHash: signed.recordHash, transcript: signed.transcript, reason: signed.reason, relayFailed: true,
            key: site.audit)
        let found = report(EvidenceFile(previous: file.previous, record: file.record, hash: file.hash, outcome: outcome))
        #expect(found.holds && found.checks.last?.sentence.contains("nobody passed by it") == true)
    }

    /// What was collected has no signature of its own: a checkpoint above it is one over it.
    @Test func aCheckpointAboveTheRecordIsTheGatesWordToo() throws {
        let file = try site.fileOfAPhone()
        func found(_ hash: [UInt8], _ gate: String = "gate-1") -> Set<EvidenceFault> {
            report(file) { $0.covered = [CoveredRecord(hash: hash, site: AuditSite.site, gate: gate)] }.faults
        }
        #expect(found(file.hash) == [])
        #expect(found(file.previous) == [.onlyPhone])
        #expect(found(file.hash, "gate-2") == [.outcomeDiffers])
    }

    @Test func whatElseIsWrongIsNotHiddenBehindThat() throws {
        let report = report(try site.fileOfAPhone(AuditSite.Tap(audience: "tapstile:south")))
        #expect(report.verdict == .fails && report.faults == [.onlyPhone, .rightsDiffer])
        #expect(report.headline.contains("evidence-rights-differ, evidence-only-phone"))
    }

    /// The gate signed something else, or somebody else signed.
    @Test func aSignatureOverAnotherOutcomeIsNone() throws {
        let file = try site.file(), other = try site.file()
        let grafted = EvidenceFile(previous: file.previous, record: file.record, hash: file.hash, outcome: other.outcome)
        #expect(report(grafted).faults == [.outcomeDiffers])
        #expect(report(site.file(around: file.record, gate: "gate-2")).faults == [.outcomeDiffers])
        #expect(report(site.file(around: file.record, site: "south")).faults == [.outcomeDiffers])
        #expect(report(site.file(around: file.record, key: site.gateSigning)).faults == [.auditKeyUnknown])
        let refusal = SignedOutcome.sign(
            site: AuditSite.site, gate: "gate-1", recordHash: file.hash, transcript: try #require(file.outcome).transcript, reason: "revoked", key: site.audit)
        #expect(report(EvidenceFile(previous: file.previous, record: file.record, hash: file.hash, outcome: refusal)).faults == [.outcomeDiffers])
    }

    @Test func aSignatureOfAnotherKeyUnderTheNameOfThisOneIsNone() throws {
        let file = try site.file(), signed = try #require(file.outcome)
        var raw = signed.raw
        raw[raw.count - 1] ^= 1
        let forged = EvidenceFile(previous: file.previous, record: file.record, hash: file.hash, outcome: SignedOutcome(parsing: raw))
        #expect(report(forged).faults == [.outcomeSignatureWrong])
    }

    // Taken back ----------------------------------------------------------------------------------------

    @Test(arguments: [AuditSite.Shown.token, .enrolled]) func whoWasRevokedByThePublicationOfThenIsFound(shown: AuditSite.Shown) throws {
        let tap = AuditSite.Tap(shown: shown), file = try site.file(tap)
        let before = PublishedWord(version: 1, issuedAt: AuditSite.time - 500, enrolled: site.enrolled(tap))
        func found(_ later: PublishedWord) -> Set<EvidenceFault> { report(file, { $0.publications = [later, before] }, tap).faults }
        let word = { (time: Int64) in PublishedWord(version: 2, issuedAt: time, isRevoked: true, enrolled: site.enrolled(tap)) }
        #expect(found(word(AuditSite.time - 1)) == [.revoked])
        #expect(found(word(AuditSite.time)) == [.revoked])
        // What was taken back later opened until then.
        #expect(found(word(AuditSite.time + 1)) == [])
    }

    @Test func whoWasRevokedInTheOfficeIsFound() throws {
        let file = try site.file()
        func found(_ standing: OfficeWord.Standing) -> Set<EvidenceFault> { report(file) { $0.office = OfficeWord(standing: standing) }.faults }
        #expect(found(.revoked(at: AuditSite.time)) == [.revoked])
        #expect(found(.revoked(at: AuditSite.time + 1)) == [])
        #expect(found(.revokedBySite) == [.revocationUndated])
        #expect(report(file) {
            $0.office = OfficeWord(standing: .revokedBySite)
            $0.publications = [PublishedWord(version: 1, issuedAt: AuditSite.time - 1)]
        }.faults == [], "the publication of then did not have it")
    }

    @Test func aTokenThatWasNeverIssuedIsFound() throws {
        let file = try site.file()
        #expect(report(file) { $0.office = OfficeWord(issue: .never) }.faults == [.notIssued])
        #expect(report(file) { $0.office = OfficeWord(issue: .issued(at: AuditSite.time)) }.faults == [])
        #expect(report(file) { $0.office = OfficeWord(issue: .notOurs) }.faults == [])
    }

    // Rights of an enrolled key ---------------------------------------------------------------------------

    private func enrolled(_ change: (EnrolledKey) -> EnrolledKey) throws -> EvidenceReport {
        let tap = AuditSite.Tap(shown: .enrolled), key = change(site.enrolled(tap))
        return report(try site.file(tap), { $0.enrolled = [KnownEnrolment(key, since: AuditSite.time - 1)] }, tap)
    }

    @Test func placesTimesAndCommandsOfAnEnrolledKeyCountAsThoseOfAToken() throws {
        func key(_ key: EnrolledKey, scope: [String] = ["tokn"], at audiences: [String] = [], from: Int64? = nil, to: Int64? = nil) -> EnrolledKey {
            EnrolledKey(keyIdentifier: key.keyIdentifier, key: key.key, use: key.use, subject: key.subject, scope: scope, audiences: audiences,
                        notBefore: from, expiresAt: to)
        }
        #expect(try enrolled { key($0, at: ["tapstile:north/hall/entry"], from: AuditSite.time, to: AuditSite.time + 1) }.faults == [])
        #expect(try enrolled { key($0, scope: ["hold"]) }.faults == [.rightsDiffer])
        #expect(try enrolled { key($0, at: ["tapstile:north/hall/exit"]) }.faults == [.rightsDiffer])
        #expect(try enrolled { key($0, at: ["tapstile:south"]) }.faults == [.rightsDiffer])
        #expect(try enrolled { key($0, to: AuditSite.time) }.faults == [.rightsDiffer])
        #expect(try enrolled { key($0, from: AuditSite.time + 1) }.faults == [.rightsDiffer])
    }

    @Test(arguments: [AuditSite.Shown.token, .enrolled]) func theRulesOfThePublicationOfThenCount(shown: AuditSite.Shown) throws {
        let tap = AuditSite.Tap(shown: shown), file = try site.file(tap)
        func found(_ rules: PublishedWord.Rules) -> Set<EvidenceFault> {
            let word = PublishedWord(version: 1, issuedAt: AuditSite.time - 1, enrolled: site.enrolled(tap), rules: rules)
            return report(file, { $0.publications = [word] }, tap).faults
        }
        #expect(found(.allowed) == [])
        #expect(found(.refused) == [.rightsDiffer])
        #expect(found(.unjudged) == [.timeZoneMissing])
    }

    /// What is enrolled today, or was by a later publication, says nothing of then.
    @Test func whatWasEnrolledLaterIsNoEnrolment() throws {
        let tap = AuditSite.Tap(shown: .enrolled), file = try site.file(tap), key = site.enrolled(tap)
        #expect(report(file, { $0.enrolled = [KnownEnrolment(key, since: AuditSite.time + 1)] }, tap).faults == [.enrolmentLater])
        let later = PublishedWord(version: 2, issuedAt: AuditSite.time + 1, enrolled: key)
        #expect(report(file, { ($0.enrolled, $0.publications) = ([], [later]) }, tap).faults == [.enrolmentLater])
        let then = PublishedWord(version: 1, issuedAt: AuditSite.time - 1)
        #expect(report(file, { ($0.enrolled, $0.publications) = ([], [then]) }, tap).faults == [.enrolmentNotGiven])
    }

    // At a desk -------------------------------------------------------------------------------------------

    @Test func datesThatKeysAndCredentialsDoNotHaveAreFound() throws {
        let file = try site.file(), time = AuditSite.time, gate = site.gateSigning.publicKey, issuer = site.issuer.publicKey
        func found(_ change: (inout EvidenceTrust) -> Void) -> Set<EvidenceFault> { report(file, change).faults }
        #expect(found { $0.now = time - 601 } == [.datesImpossible], "still to come")
        #expect(found { $0.now = time - 600 } == [])
        #expect(found { $0.keyDates[gate] = KeyDates(from: time + 601) } == [.datesImpossible], "before the gate's key was made")
        #expect(found { $0.keyDates[gate] = KeyDates(from: time + 600) } == [], "clocks differ")
        #expect(found { $0.keyDates[issuer] = KeyDates(from: time + 601) } == [.datesImpossible], "before there was an issuer")
        #expect(found { $0.keyDates[issuer] = KeyDates(from: 0, to: time) } == [.datesImpossible], "after it was dropped")
        #expect(found { $0.keyDates[issuer] = KeyDates(from: 0, to: time + 1) } == [])
        #expect(found { $0.office = OfficeWord(issue: .issued(at: time + 601)) } == [.datesImpossible], "before the token was issued")
    }

    /// All keys that have signed are a desk's, and the dates that they leave open are said.
    @Test func whatRemainsIsSaidInTheFirstLines() throws {
        let holds = report(try site.file()) {
            $0.keyDates[site.gateSigning.publicKey] = KeyDates(from: AuditSite.time - 300)
            $0.now = AuditSite.time + 300
        }
        #expect(holds.headline.hasPrefix("The gate 'gate-1' granted 'tokn' to 'anna' at lane 'entry'") && holds.headline.hasSuffix("checks hold."))
        #expect(holds.remainder == "What remains: whoever has the gate's audit key, the gate's key and the phone's key can make all of it at a desk, "
            + "dated at any time from 2027-01-15T07:55:00Z to 2027-01-15T08:05:00Z.")
        let unbounded = AuditSite.Tap(method: .initiatorSigns, shown: .enrolled)
        #expect(report(try site.fileOfAPhone(unbounded), { _ in }, unbounded).remainder
            == "What remains: whoever has the phone's key can make such a file at a desk, dated at any time whatsoever.")
    }

    /// Times that no calendar has are no reason to end.
    @Test func timesBeyondAllCalendarsAreRead() throws {
        let tap = AuditSite.Tap(validity: (-1_800_000_000, .max - 1_800_000_000))
        #expect(report(try site.file(tap)).remainder?.contains("UNIX second 9223372036854775807") == true)
    }
}
