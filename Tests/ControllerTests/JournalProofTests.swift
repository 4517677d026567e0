import Audit
import ControlProtocol
import Credentials
import Cryptography
import Encoding
import Foundation
import Testing

@testable import Controller

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
        #expect(answer["signed"] == true && answer["relayFailed"] == false)
        return try EvidenceFile(parsing: Hex.decode(try #require(answer["file"]?.string)))
    }

    private func trust() throws -> EvidenceTrust {
        let gate = GateCredential(site: TestSite.name, key: site.gateSigning.publicKey)
        return EvidenceTrust(
            issuers: [site.issuerKey.publicKey], gates: [.credential(try ConfirmedKeyCredential(parsing: gate.claims))])
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

    @Test func whatIsNoGrantHasNoEvidence() throws {
        _ = controller.present(try site.phone { $0.notBefore -= 5000; $0.expiresAt -= 4000 }, at: "entry")
        let refused = try sequence(.expired)
        #expect(throws: ControlError(code: "record-without-evidence", message: "")) { try controller.proveRecord(refused) }
        #expect(throws: ControlError(code: "record-missing", message: "")) { try controller.proveRecord(refused + 1000) }
        #expect(throws: ControlError(code: "record-missing", message: "")) { try controller.proveRecord(.max) }
    }
}
