import ControlProtocol
import Encoding
import Evidence
import Foundation
import Gate
import Service
import Storage
import Testing
import Waits

@testable import Controller

/// Collecting the journal of a gate (A6): the alarm, the full ring, and who said that it was collected.
@Suite("Collecting the journal") final class JournalCollectingTests {
    let site: TestSite
    let events = EventLog()

    init() throws { site = try TestSite() }

    /// The smallest ring that a configuration may have.
    static let most = 10_000

    func gate(collect: String = "export", onFull: String = "overwrite") throws -> Controller {
        try site.configure(lane: "cooldown-success-ms = 0\ncooldown-failure-ms = 0", more: """
            [audit]
            max-records = \(Self.most)
            collect = "\(collect)"
            on-full = "\(onFull)"
            """)
        let controller = try site.controller()
        controller.listen { [events] in events.add($0) }
        try site.publish(to: controller)
        return controller
    }

    /// Writes until so many records are in the main chain.
    func fill(_ controller: Controller, to sequence: UInt64) throws {
        let journal = controller.parts.journal
        try waitUntil("record \(sequence)") {
            let head = journal.head.sequence
            let missing = head < sequence ? min(2000, sequence - head) : 0
            let last = (0..<missing).map { _ in journal.append(JournalEntry(kind: .service, time: controller.parts.journalTime)) }.last
            _ = last?.wait(milliseconds: WaitLimit.milliseconds)
            return journal.head.sequence
        } fits: { $0 >= sequence }
    }

    func collection(_ controller: Controller) -> JSON { controller.status["journal"]?["collection"] ?? .null }

    func collect(_ controller: Controller, _ receipt: JournalReceipt) throws(ControlError) -> JSON {
        try controller.collectJournal(receipt, by: ControlPeer(connection: 1, process: 42, user: 1000, group: 1000, groups: []))
    }

    @Test func nobodyCollectsUnlessAskedTo() throws {
        let controller = try gate(collect: "none")
        try fill(controller, to: UInt64(Self.most) + 500)
        #expect(collection(controller) == .null)
        #expect(controller.parts.journal.status.collectionState == .inOrder)
    }

    @Test func nineTenthsAreToldAndOverwritingIsCounted() throws {
        let controller = try gate()
        try fill(controller, to: UInt64(Self.most) * 9 / 10 + 2)
        #expect(collection(controller)["warning"]?["code"]?.string == "audit-collect-due")
        try fill(controller, to: UInt64(Self.most) + 1500)
        #expect(collection(controller)["warning"]?["code"]?.string == "journal-full")
        #expect((collection(controller)["overwritten"]?.integer ?? 0) > 1000)
        let states = events.all.filter { $0.kind == .journal }.compactMap { $0.fields["state"]?.string }
        #expect(states == ["audit-collect-due", "journal-full"])
        let phone = try site.phone()
        _ = controller.present(phone, at: "entry")
        #expect(phone.outcome?.result == .granted, "overwriting keeps nobody out")
    }

    @Test func aFullRingDeniesUntilItIsCollected() throws {
        let controller = try gate(onFull: "deny")
        try fill(controller, to: UInt64(Self.most) + 100)
        #expect(try events.faults { $0.contains("journal-full") } == ["journal-full"])
        let refused = try site.phone()
        _ = controller.present(refused, at: "entry")
        #expect(refused.outcome?.result != .granted)
        #expect(collection(controller)["overwritten"]?.integer == 0, "what is not collected has another tenth")
        let head = controller.parts.journal.head.sequence
        let answer = try collect(controller, .through(head))
        #expect(answer["through"]?.integer == Int64(head) && answer["overwritten"]?.integer == 0)
        #expect(try events.faults { $0.isEmpty } == [])
        let granted = try site.phone()
        _ = controller.present(granted, at: "entry")
        #expect(granted.outcome?.result == .granted)
    }

    @Test func whoSaidItIsInTheJournal() throws {
        let controller = try gate()
        try fill(controller, to: 20)
        _ = try collect(controller, .through(15))
        let record = try #require(try controller.records().last { $0["reason"]?.string == JournalEntry.collectedReason })
        #expect(record["detail"]?["user"]?.integer == 1000 && record["detail"]?["process"]?.integer == 42)
        #expect(record["detail"]?["through"]?.integer == 15)
        #expect(ControlOperation.collectJournal(.through(1)).command.leastRole == .operator)
    }

    @Test func whatCannotBeSoIsRefused() throws {
        let controller = try gate()
        try fill(controller, to: 20)
        _ = try collect(controller, .through(15))
        #expect(throws: ControlError(code: "journal-collected-already", message: "")) { try collect(controller, .through(14)) }
        #expect(throws: ControlError(code: "journal-not-that-far", message: "")) { try collect(controller, .through(1_000_000)) }
        #expect(try collect(controller, .through(15))["through"]?.integer == 15, "said twice is said once")
    }

    @Test func aCheckpointSaysItForThisGateOnly() throws {
        let controller = try gate()
        try fill(controller, to: 20)
        let answer = try controller.checkpointJournal()
        let bytes = try Hex.decode(#require(answer["checkpoint"]?.string))
        #expect(try collect(controller, .checkpoint(bytes))["through"] == answer["sequence"])
        let other = try TestSite()
        let stranger = try other.controller()
        let foreign = try Hex.decode(#require(try stranger.checkpointJournal()["checkpoint"]?.string))
        #expect(throws: ControlError(code: "checkpoint-key-unknown", message: "")) { try collect(controller, .checkpoint(foreign)) }
        #expect(throws: ControlError(code: "checkpoint-malformed", message: "")) { try collect(controller, .checkpoint(Array(bytes.dropLast()))) }
    }
}
