import ControlProtocol
import Cryptography
import Encoding
import Evidence
import Foundation
import Storage
import Testing

@testable import Controller

/// The gate's audit key, and what is signed with it.
@Suite("The audit key") final class AuditKeyTests {
    let site: TestSite

    init() throws { site = try TestSite() }

    var path: String { site.path("state/audit.key") }

    func mode() throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    /// The records that announce a key, by what they say.
    func announcements(_ controller: Controller) throws -> [String] {
        try controller.records().filter { $0["reason"]?.string == AuditKeyAnnouncement.reason }.compactMap { $0["detail"]?["what"]?.string }
    }

    func warning(_ controller: Controller) -> String? { controller.status["journal"]?["auditKey"]?["warning"]?["code"]?.string }

    @Test func aGateMakesItsOwnAtTheFirstStartAndKeepsIt() throws {
        var first = try site.controller()
        let thumbprint = try #require(first.status["journal"]?["auditKey"]?["thumbprint"]?.string)
        #expect(try mode() == 0o600)
        #expect(try announcements(first) == ["audit-key-made"])
        #expect(warning(first) == nil)
        let file = try KeyFile(parsing: Array(Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(file.role == .audit && Hex.encode(file.publicKey.thumbprint) == thumbprint)
        #expect(file.publicKey != site.gateSigning.publicKey)
        first.stop()
        first = try site.controller()
        #expect(first.status["journal"]?["auditKey"]?["thumbprint"]?.string == thumbprint)
        #expect(try announcements(first) == ["audit-key-made"], "said once")
    }

    @Test func anybodyGetsThePublicHalfAndNobodyTheOther() throws {
        let controller = try site.controller()
        let answer = try controller.auditKey()
        let file = try KeyFile(parsing: Array(#require(answer["file"]?.string).utf8))
        #expect(file.role == .audit && file.signingKey == nil)
        #expect(Hex.encode(file.publicKey.thumbprint) == answer["thumbprint"]?.string)
        #expect(answer["earlier"]?.array?.isEmpty == true)
        #expect(ControlOperation.auditKey.command.leastRole == .maintainer)
    }

    @Test func aLostKeyIsLoud() throws {
        let first = try site.controller()
        let before = try #require(first.status["journal"]?["auditKey"]?["thumbprint"]?.string)
        _ = try first.checkpointJournal()
        first.stop()
        try FileManager.default.removeItem(atPath: path)
        let second = try site.controller()
        #expect(second.status["journal"]?["auditKey"]?["thumbprint"]?.string != before)
        #expect(warning(second) == "audit-key-lost")
        #expect(try announcements(second) == ["audit-key-made", "audit-key-replaced"])
        let earlier = try #require(try second.auditKey()["earlier"]?.array?.first?.string)
        #expect(try Hex.encode(KeyFile(parsing: Array(earlier.utf8)).publicKey.thumbprint) == before)
    }

    /// A gate may be given another name over the same journal.
    @Test func eachStartSaysAsWhichGate() throws {
        let controller = try site.controller()
        let started = try #require(try controller.records().first { $0["detail"]?["what"]?.string == "started" })
        #expect(started["detail"]?["gate"]?.string == "gate-1" && started["detail"]?["site"]?.string == TestSite.name)
    }

    /// A good key, and not the gate's: whoever put it there signs as the gate.
    @Test func anotherKeyInItsPlaceIsLoud() throws {
        let first = try site.controller()
        let before = try KeyFile(parsing: Array(#require(try first.auditKey()["file"]?.string).utf8)).publicKey
        first.stop()
        try Data(KeyFile(role: .audit, making: .sign).text()).write(to: URL(fileURLWithPath: path))
        let second = try site.controller()
        #expect(warning(second) == "audit-key-exchanged")
        #expect(try announcements(second) == ["audit-key-made", "audit-key-exchanged"])
        let signed = try SignedCheckpoint(parsing: Hex.decode(#require(try second.checkpointJournal()["checkpoint"]?.string)))
        #expect(CheckpointTrust(keys: [before]).fault(of: signed) == .keyUnknown, "an auditor with the old one sees since when")
    }

    @Test(arguments: [0, 1, 2])
    func aDamagedKeyIsKeptAsideAndReplaced(damage: Int) throws {
        let first = try site.controller()
        first.stop()
        let other = try KeyFile(role: .operator, making: .sign).text()
        let bytes: [UInt8] = [[], Array("-----BEGIN".utf8), other][damage]
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let second = try site.controller()
        #expect(warning(second) == "audit-key-lost")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path + ".damaged-1"))) == bytes)
        #expect(try mode() == 0o600)
        #expect(try announcements(second) == ["audit-key-made", "audit-key-replaced"])
    }

    @Test func aKeyThatOthersMayUseIsNamed() throws {
        let first = try site.controller()
        first.stop()
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let second = try site.controller()
        #expect(warning(second) == "key-exposed")
        second.stop()
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        #expect(warning(try site.controller()) == nil)
    }

    @Test func aGateThatCannotKeepOneServesAndSaysSo() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let controller = try site.controller()
        #expect(warning(controller) == "audit-key-unreadable")
        #expect(throws: ControlError(code: "audit-key-unreadable", message: "")) { try controller.auditKey() }
        #expect(throws: ControlError(code: "audit-key-missing", message: "")) { try controller.checkpointJournal() }
        try site.publish(to: controller)
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.outcome != nil)
    }

    @Test func aCheckpointNamesTheGateAndHoldsAgainstItsJournal() throws {
        let controller = try site.controller()
        let answer = try controller.checkpointJournal()
        let signed = try SignedCheckpoint(parsing: Hex.decode(#require(answer["checkpoint"]?.string)))
        let key = try KeyFile(parsing: Array(#require(try controller.auditKey()["file"]?.string).utf8)).publicKey
        #expect(CheckpointTrust(keys: [key], site: TestSite.name, gate: "gate-1").fault(of: signed) == nil)
        let head = signed.checkpoint.main
        #expect(try controller.parts.journal.place(of: head.sequence, in: .main) == .hash(head.hash))
        let record = try #require(try controller.journalPage(JournalQuery(kind: "checkpoint"))["records"]?.array?.last)
        #expect(record["sequence"]?.integer == answer["record"]?.integer)
        #expect(record["evidence"]?.string == answer["checkpoint"]?.string)
        #expect(ControlOperation.checkpointJournal.command.leastRole == .maintainer)
        let stretch = try controller.verifyJournal(JournalStretch(unproven: false))
        let kept = try #require(stretch["checkpoints"]?.array?.last)
        #expect(kept["checkpoint"] == answer["checkpoint"] && kept["main"]?.string == Hex.encode(head.hash))
    }

    @Test func theStopIsSigned() throws {
        let controller = try site.controller()
        controller.stop()
        let (journal, _) = try Journal.open(
            directory: site.path("state"), boot: [1], time: { JournalTime(wallMilliseconds: 0, trust: .untrusted, monotonicMilliseconds: 0) })
        defer { journal.close() }
        let last = try #require(try journal.read(from: 1, limit: 100).last)
        #expect(last.entry.kind == .checkpoint)
        #expect(try SignedCheckpoint(parsing: last.entry.evidence).checkpoint.main.sequence == last.sequence - 1)
    }
}
