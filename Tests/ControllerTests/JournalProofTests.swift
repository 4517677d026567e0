import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Evidence
import Foundation
import Testing

@testable import Controller
@testable import AuditJournal
@testable import Storage

/// What a running gate writes into its journal convinces somebody who has no access to it.
@Suite("Evidence of a grant") final class JournalProofTests {
    let site: TestSite
    let controller: Controller

    init() throws {
        site = try TestSite()
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0",
                           more: "[audit]\nwait-ms = 250\ndurable-within-ms = 2000")
        controller = try site.controller()
        try site.publish(to: controller)
    }

    deinit { controller.stop() }

    /// The number of the newest record with this reason.
    private func sequence(_ reason: Reason) throws -> UInt64 {
        let record = try #require(try controller.records().last { $0["reason"]?.string == reason.rawValue })
        return UInt64(try #require(record["sequence"]?.integer))
    }

    private func file(_ sequence: UInt64) throws -> EvidenceFile {
        let answer = try controller.proveRecord(sequence)
        #expect(answer["signed"] == true && answer["relayFailed"] == false && answer["outcomeSigned"] == true && answer["problem"] == nil)
        return try EvidenceFile(parsing: Hex.decode(try #require(answer["file"]?.string)))
    }

    private func trust() throws -> EvidenceTrust {
        let gate = GateCredential(site: TestSite.name, key: site.gateSigning.publicKey)
        return EvidenceTrust(
            issuers: [site.issuerKey.publicKey], gates: [.credential(try ConfirmedKeyCredential(parsing: gate.claims))],
            auditKeys: [try controller.parts.auditKeys.current.get().key.publicKey])
    }

    @Test func aGrantIsProvedToSomebodyElse() throws {
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        let file = try file(sequence(.granted))
        var trust = try trust()
        trust.keptHash = phone.outcome?.journalHead
        let report = EvidenceVerification.verify(file, against: trust)
        #expect(report.holds, "\(report.checks.filter { !$0.holds })")
        #expect(report.checks.contains { $0.name == .kept }, "the phone was told the hash of its own record")
        #expect(report.record?.subject == "ada" && report.evidence?.gate?.context?.gateIdentifier == "gate-1")
    }

    @Test func twoGrantsAreTwoProofs() throws {
        for _ in 1...2 { _ = controller.present(try site.phone(), at: "entry") }
        let second = try sequence(.granted)
        let files = try [second - 1, second].map { try file($0) }
        for file in files { #expect(EvidenceVerification.verify(file, against: try trust()).holds) }
        #expect(files[0].hash == files[1].previous)
    }

    /// The signature is over the record that stands in the chain up to what the gate has signed or knows: before a checkpoint and after it.
    @Test func anOldGrantIsSignedAsANewOne() throws {
        _ = controller.present(try site.phone(), at: "entry")
        let first = try sequence(.granted)
        _ = try controller.checkpointJournal()
        _ = controller.present(try site.phone(), at: "entry")
        for sequence in [first, try sequence(.granted)] {
            #expect(EvidenceVerification.verify(try file(sequence), against: try trust()).holds)
        }
    }

    /// Somebody who can write the journal's file, and has no key, has put a record of his own into it, with hashes that fit.
    @Test func aGrantThatSomebodyPutIntoTheFileIsNotSigned() throws {
        for _ in 1...2 { _ = controller.present(try site.phone(), at: "entry") }
        let last = try sequence(.granted)
        let journal = controller.parts.journal
        let good = try #require(try journal.chained(last)), earlier = try #require(try journal.chained(last - 1))
        let signer = OutcomeSigner(key: try controller.parts.auditKeys.current.get().key, site: TestSite.name, gate: "gate-1")
        #expect(throws: Never.self) { try signer.sign(good, relayFailed: false, of: journal) }
        // What it says was changed, and its hash with it: nothing of what follows leads there any more.
        for (record, previous) in [(good.record, earlier.record.hash), (earlier.record, earlier.previous)] {
            let body = record.body + [0], hash = SHA256.hash(previous + body)
            let forged = JournalRecord(partition: .main, sequence: record.sequence, boot: record.boot, entry: record.entry, attempt: record.attempt,
                                       body: body, hash: hash)
            #expect(throws: ControlError(code: "journal-broken", message: "")) {
                try signer.sign(ChainedRecord(record: forged, previous: previous), relayFailed: false, of: journal)
            }
        }
    }

    @Test func aGateWithoutAnAuditKeyExportsAllTheSame() throws {
        _ = controller.present(try site.phone(), at: "entry")
        let problem = ControlError(code: "audit-key-unreadable", message: "It cannot be read.")
        let answer = try JournalProof.export(sequence(.granted), of: controller.parts.journal, signedBy: .failure(problem))
        #expect(answer["outcomeSigned"] == false && answer["problem"]?["code"] == "audit-key-unreadable")
        let file = try EvidenceFile(parsing: Hex.decode(try #require(answer["file"]?.string)))
        #expect(EvidenceVerification.verify(file, against: try trust()).verdict == .onlyPhone)
    }

    @Test func whatIsNoGrantHasNoEvidence() throws {
        _ = controller.present(try site.phone { $0.notBefore -= 5000; $0.expiresAt -= 4000 }, at: "entry")
        let refused = try sequence(.expired)
        #expect(throws: ControlError(code: "record-without-evidence", message: "")) { try controller.proveRecord(refused) }
        #expect(throws: ControlError(code: "record-missing", message: "")) { try controller.proveRecord(refused + 1000) }
        #expect(throws: ControlError(code: "record-missing", message: "")) { try controller.proveRecord(.max) }
    }
}
