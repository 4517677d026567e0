import Testing
import Threads
import Waits

@testable import VirtualPhone

/// The virtual card, spoken to as vpcd does: two bytes of length, then 00 off, 01 on, 02 reset, 04
/// answer to reset wanted, anything else a command.
@Suite struct VirtualCardTests {
    private static let answerToReset: [UInt8] = [0x3B, 0x80, 0x80, 0x01, 0x01]

    private func inserted(
        _ misbehaviour: CardMisbehaviour? = nil, onEvent: @escaping @Sendable (CardEvent) -> Void = { _ in }
    ) throws -> (VirtualPCD, VirtualCard) {
        let reader = try VirtualPCD()
        let card = VirtualCard(port: reader.port, misbehaviour: misbehaviour, onEvent: onEvent) { $0 + [0x90, 0x00] }
        try card.insert()
        try reader.accept()
        return (reader, card)
    }

    @Test func itAnswersResetsPowerAndCommands() throws {
        let events = EventList()
        let (reader, card) = try inserted(onEvent: events.add)
        #expect(card.isInserted)
        try reader.send([0x01])
        #expect(try reader.ask([0x04]) == Self.answerToReset)
        #expect(try reader.ask([0x00, 0xA4, 0x04, 0x00]) == [0x00, 0xA4, 0x04, 0x00, 0x90, 0x00])
        try reader.send([0x02])
        #expect(try reader.ask([0x04]) == Self.answerToReset)
        try reader.send([0x00])
        #expect(try reader.ask([0x04]) == Self.answerToReset)
        let told: [CardEvent] = [.powered, .command([0x00, 0xA4, 0x04, 0x00]), .reset, .reset]
        #expect(events.all.filter(told.contains) == told)
        card.remove()
        #expect(try reader.read() == nil)
        #expect(!card.isInserted)
    }

    @Test(arguments: [2, 261, 262, 4_096, 65_533])
    func commandsOfEverySizeArriveWhole(size: Int) throws {
        let (reader, card) = try inserted()
        let command = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try reader.ask(command) == command + [0x90, 0x00])
        card.remove()
    }

    @Test func itLeavesInsteadOfAnsweringTheCommand() throws {
        let (reader, card) = try inserted(.leaves(atCommand: 2))
        #expect(try reader.ask([0x00, 0x01]) == [0x00, 0x01, 0x90, 0x00])
        #expect(try reader.ask([0x00, 0x02]) == nil)
        try inTime("the card to be gone") { card.waitUntilGone() }
        #expect(!card.isInserted)
    }

    @Test func itLeavesAfterAnsweringTheCommand() throws {
        let (reader, card) = try inserted(.leavesAfter(command: 1))
        #expect(try reader.ask([0x00, 0x01]) == [0x00, 0x01, 0x90, 0x00])
        #expect(try reader.read() == nil)
        try inTime("the card to be gone") { card.waitUntilGone() }
    }

    @Test func itIsSilentUntilItLeavesByItself() throws {
        let (reader, card) = try inserted(.silent(atCommand: 1, forMilliseconds: 50))
        let before = MonotonicTime.nanoseconds
        #expect(try reader.ask([0x00, 0x01]) == nil)
        #expect(MonotonicTime.nanoseconds - before >= 50_000_000)
        try inTime("the card to be gone") { card.waitUntilGone() }
    }

    @Test func itIsSilentUntilItIsTakenAway() throws {
        let (reader, card) = try inserted(.silent(atCommand: 1, forMilliseconds: nil))
        try reader.send([0x00, 0x01])
        #expect(card.isInserted)
        card.remove()
        #expect(try reader.read() == nil)
    }

    @Test func itAnswersLate() throws {
        let (reader, card) = try inserted(.late(atCommand: 1, milliseconds: 50))
        let before = MonotonicTime.nanoseconds
        #expect(try reader.ask([0x00, 0x01]) == [0x00, 0x01, 0x90, 0x00])
        #expect(MonotonicTime.nanoseconds - before >= 50_000_000)
        #expect(try reader.ask([0x00, 0x02]) == [0x00, 0x02, 0x90, 0x00])
        card.remove()
    }

    @Test func itNoticesThatTheReaderIsGoneAndMayBeInsertedAgain() throws {
        let (reader, card) = try inserted(.silent(atCommand: 1, forMilliseconds: nil))
        try reader.send([0x00, 0x01])
        reader.hangUp()
        try inTime("the card to be gone") { card.waitUntilGone() }
        #expect(!card.isInserted)
        try card.insert()
        try reader.accept()
        #expect(try reader.ask([0x04]) == Self.answerToReset)
        card.remove()
    }

    @Test func itIsOnOneReaderOnly() throws {
        let (reader, card) = try inserted()
        #expect(throws: VirtualCardError.alreadyInserted) { try card.insert() }
        #expect(try reader.ask([0x04]) == Self.answerToReset)
        card.remove()
        card.remove()
    }

    @Test func withoutAReaderItSaysWhatIsMissing() throws {
        let port = try VirtualPCD().port
        let card = VirtualCard(port: port) { $0 }
        do {
            try card.insert()
            Issue.record("it is on a reader that is not there")
        } catch {
            #expect(error.code == "card-no-reader")
            #expect(error.message.contains("vsmartcard-vpcd"))
        }
        #expect(!card.isInserted)
    }
}

/// What a card told, in order.
private final class EventList: Sendable {
    private let events = Mutex<[CardEvent]>([])

    @Sendable func add(_ event: CardEvent) {
        events.withLock { $0.append(event) }
    }

    var all: [CardEvent] { events.withLock(\.self) }
}
