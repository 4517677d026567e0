import ReaderProtocol
import Testing
import Threads
import Waits

@testable import ChipReaders
@testable import VirtualPhone

/// The wrapper around unmodified libnfc, at a virtual chip.
@Suite struct ChipDeviceTests {
    private static let selection: [UInt8] = [0x00, 0xA4, 0x04, 0x00]

    /// One cycle as `PollingLoop` has it.
    private static func cycle(_ device: ChipDevice) throws -> FoundCard? {
        try device.setField(true)
        try device.setWholeFrames()
        try device.announce(ChipBench.wakeUp)
        let found = try device.find()
        if found == nil { try device.setField(false) }
        return found
    }

    @Test func itOpensAndRests() throws {
        let bench = try ChipBench()
        let device = try bench.open()
        #expect(device.firmware.text == "PN532 v1.6")
        #expect(!bench.chip.isFieldOn)
        #expect(!device.isGone)
    }

    /// The frame goes out whole in each cycle, with its checksum, and one request follows it.
    @Test func phonesAreNamedAndAskedInTurns() throws {
        let bench = try ChipBench()
        let device = try bench.open()
        for _ in 0..<5 { #expect(try Self.cycle(device) == nil) }
        device.close()
        let cycles = bench.sentInCycles.filter { !$0.isEmpty }
        #expect(cycles == [[[UInt8]]](repeating: [AirFrame(checked: ChipBench.wakeUp).bytes, [0x26]], count: 5))
    }

    @Test func aPhoneInExpressModeWakes() throws {
        let bench = try ChipBench()
        bench.chip.present(ChipBench.expressPhone)
        let device = try bench.open()
        #expect(try (0..<3).map { _ in try Self.cycle(device) != nil } == [false, false, true])
    }

    @Test func aPhoneIsFoundAndSpokenTo() throws {
        let bench = try ChipBench()
        bench.chip.present(ChipBench.phone())
        let device = try bench.open()
        #expect(try Self.cycle(device) == FoundCard(
            answerToRequest: 0x0004, selectAcknowledge: 0x20, identifier: [0x08, 0x5A, 0x7E, 0x11], answerToSelect: [0x78, 0x80, 0x70, 0x02]))
        try device.setPatience(.exchange(milliseconds: 1_600))
        for count in [4, 58, 59, 255, 258, 261] {
            let command = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            #expect(try device.exchange(command, patience: .asking) == .answer(command + [0x90, 0x00]), "\(count)")
        }
        // An answer of 264 bytes is more than the chip has room for.
        #expect(try device.exchange([UInt8](repeating: 0, count: 262), patience: .asking) == .lost(LibnfcNumber.chip))
        // libnfc would write beyond its own memory.
        #expect(try device.exchange([UInt8](repeating: 0, count: 263), patience: .asking) == .lost(LibnfcNumber.invalid))
        try device.setPatience(.asking)
        #expect(try device.isPhoneThere())
        bench.chip.remove()
        #expect(try !device.isPhoneThere())
        #expect(try device.exchange(Self.selection, patience: .asking) == .lost(LibnfcNumber.air))
        try device.setField(false)
        #expect(try Self.cycle(device) == nil)
    }

    @Test func aUIDOnlyCardHasANumber() throws {
        for identifier: [UInt8] in [[0x12, 0x34, 0x56, 0x78], [0x04, 1, 2, 3, 4, 5, 6], [0x04, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let bench = try ChipBench()
            bench.chip.present(ChipBench.phone(.plain(identifier)))
            let found = try #require(try Self.cycle(bench.open()))
            #expect(found.identifier == identifier)
            #expect(found.kind == .plain)
            #expect(found.answerToSelect == [])
        }
    }

    @Test func aBitRateIsAgreedOn() throws {
        var card = AirCard.phone
        card.answerToSelect = [0x05, 0x78, 0x33, 0x70, 0x02]
        for (card, isTaken) in [(card, true), (.phone, false)] as [(AirCard, Bool)] {
            let bench = try ChipBench()
            bench.chip.present(ChipBench.phone(card))
            let device = try bench.open()
            _ = try Self.cycle(device)
            try device.agree(on: .kilobits424)
            #expect(try device.exchange(Self.selection, patience: .asking) == .answer(Self.selection + [0x90, 0x00]))
            #expect(bench.records.contains { $0.event == .answered(AirFrame(checked: [0xD0])) } == isTaken)
        }
    }

    // Faults --------------------------------------------------------------------------------------

    static let broken: [(PN532Fault, ChipError)] = [
        (.silent, .silent), (.acknowledgeOnly, .silent), (.noAcknowledge, .failed(-1)), (.wrongDataChecksum, .failed(-1)),
        (.wrongLengthChecksum, .failed(-1)), (.syntaxError, .failed(-1)), (.oversized(by: 300), .failed(-1)),
        (.garbage([0x00, 0x00, 0xFF, 0x12, 0x34, 0x56, 0x78, 0x9A]), .failed(-1))
    ]

    /// None of them is taken for a phone's answer, and the chip serves the next one.
    @Test(arguments: broken)
    func aBrokenAnswerIsTheChips(fault: PN532Fault, error: ChipError) throws {
        let bench = try ChipBench()
        bench.chip.present(ChipBench.phone())
        let device = try bench.open()
        _ = try Self.cycle(device)
        bench.chip.misbehave(PN532Misbehaviour(fault, at: .exchangeData, times: 1))
        #expect(throws: error) { try device.exchange(Self.selection, patience: .asking) }
        try device.setField(false)
        #expect(try Self.cycle(device) != nil)
        #expect(try device.exchange(Self.selection, patience: .asking) == .answer(Self.selection + [0x90, 0x00]))
    }

    @Test func aLongAnswerIsThePhones() throws {
        let bench = try ChipBench()
        bench.chip.present(AirPhone(answering: { _ in [UInt8](repeating: 7, count: 600) }))
        let device = try bench.open()
        _ = try Self.cycle(device)
        guard case .lost = try device.exchange(Self.selection, patience: .asking) else {
            Issue.record("It was taken.")
            return
        }
    }

    static let dead: [(PN532Misbehaviour, ChipFailure)] = [
        (PN532Misbehaviour(.silent), .chipSilent), (PN532Misbehaviour(.endless(0x55)), .chipSilent),
        (PN532Misbehaviour(.wrongDataChecksum, at: .getFirmwareVersion), .chipBabbles),
        (PN532Misbehaviour(.silent, at: .configureRF), .chipSilent), (PN532Misbehaviour(.wrongDataChecksum, at: .configureRF), .chipBabbles)
    ]

    @Test(arguments: dead)
    func aChipThatIsBrokenIsNotOpened(fault: PN532Misbehaviour, failure: ChipFailure) throws {
        let bench = try ChipBench()
        bench.chip.misbehave(fault)
        do {
            _ = try bench.open()
            Issue.record("It was opened.")
        } catch let error as ChipError {
            #expect(error.failure == failure)
        }
        bench.chip.behave()
        // libnfc waits for no more than its own time: on a busy machine that may be over before the chip's thread comes round.
        try waitUntil("a chip that is well again to be opened") { (try? bench.open())?.firmware.text == "PN532 v1.6" }
    }

    @Test func aPortThatIsHeldIsNotOpened() throws {
        let bench = try ChipBench()
        let first = try bench.open()
        #expect(throws: ChipError.notOpened(.portHeld)) { try bench.open() }
        first.close()
    }

    @Test func aPortThatHasGoneIsNoticed() throws {
        let bench = try ChipBench()
        let device = try bench.open()
        bench.chip.unplug()
        #expect(throws: ChipError.self) { try device.setField(true) }
        #expect(device.isGone)
    }

    /// libnfc listens for it only once it waits for the answer: so it is said until it is heard.
    @Test func anotherThreadCallsAnExchangeOff() throws {
        let bench = try ChipBench()
        bench.chip.present(ChipBench.phone())
        let abort = ChipAbort()
        let device = try bench.open(abort)
        _ = try Self.cycle(device)
        bench.chip.misbehave(PN532Misbehaviour(.acknowledgeOnly, at: .exchangeData, times: 1))
        let isOver = Monitor(false)
        let other = try Worker(name: "abort") { [bench] in
            reportingWaits { try bench.waitForCommand() }
            while !isOver.withLock(\.self) {
                abort.raise()
                _ = isOver.wait(untilNanoseconds: MonotonicTime.nanoseconds + 20_000_000) { $0 ? () : nil }
            }
        }
        #expect(throws: ChipError.calledOff) { try device.exchange(Self.selection, patience: .exchange(milliseconds: 3_300)) }
        isOver.change { $0 = true }
        try other.waitForEnd()
        try device.setField(false)
        #expect(try Self.cycle(device) != nil)
    }
}
