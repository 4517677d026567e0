import Testing
import Threads
import Waits

@testable import VirtualPhone

/// Cards of other processes, which come as to pcscd's virtual reader.
@Suite struct CardSlotTests {
    /// A chip with such a port, and its thread.
    private final class Reader {
        let slot: CardSlot
        let chip: VirtualPN532
        private let thread: Worker

        init() throws {
            let slot = try CardSlot()
            let chip = try VirtualPN532(onCard: slot.handle)
            (self.slot, self.chip) = (slot, chip)
            thread = try Worker(name: "slot") { slot.serve(chip) }
        }

        deinit {
            slot.stop()
            reportingWaits { try thread.waitForEnd() }
        }

        func put(_ misbehaviour: CardMisbehaviour? = nil, _ log: AirLog = AirLog()) throws -> VirtualCard {
            let card = VirtualCard(port: slot.port, misbehaviour: misbehaviour, onEvent: log.add) { $0 + [0x90, 0x00] }
            try card.insert()
            try waitUntil("the card in the field") { chip.hasPhone }
            return card
        }

        func run(_ steps: [String]) throws -> NFCProbe {
            try NFCProbe.run(try #require(chip.path), ["initiator", "time-out", "1700", "field", "off", "select"] + steps)
        }
    }

    @Test func aCardIsInTheFieldAsLongAsItLies() throws {
        let (reader, log) = (try Reader(), AirLog())
        #expect(try reader.run([]).output("select") == ["0"])
        let card = try reader.put(nil, log)
        #expect(try reader.run(["send", "00A40400", "send", "80E20000", "field", "off"]).output("send") == ["00A404009000", "80E200009000"])
        #expect(log.events == [.powered, .command([0x00, 0xA4, 0x04, 0x00]), .answered, .command([0x80, 0xE2, 0x00, 0x00]), .answered, .reset])
        card.remove()
        try waitUntil("an empty field") { !reader.chip.hasPhone }
        #expect(try reader.run([]).output("select") == ["0"])
        // The next one is welcome.
        let next = try reader.put()
        #expect(try reader.run(["send", "00A40400"]).output("send") == ["00A404009000"])
        next.remove()
    }

    @Test(arguments: [CardMisbehaviour.leaves(atCommand: 2), .leavesAfter(command: 1), .silent(atCommand: 2, forMilliseconds: nil)])
    func whatGoesWrongWithThePhoneIsATimeOut(misbehaviour: CardMisbehaviour) throws {
        let reader = try Reader()
        let card = try reader.put(misbehaviour)
        #expect(try reader.run(["send", "00A40400", "send", "80E20000"]).output("send") == ["00A404009000", "-20"])
        card.remove()
    }

    @Test func aCardThatIsTakenAwayInTheMiddleIsGone() throws {
        let (reader, log) = (try Reader(), AirLog())
        let card = try reader.put(.silent(atCommand: 1, forMilliseconds: nil), log)
        let running = try RunningProbe(try #require(reader.chip.path), ["initiator", "time-out", "1700", "select", "send", "00A40400"])
        try log.waitForCommand()
        card.remove()
        try waitUntil("an empty field") { !reader.chip.hasPhone }
        try running.kill()
    }
}
