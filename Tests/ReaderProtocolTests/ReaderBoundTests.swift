import Encoding
import Testing

@testable import ReaderProtocol

@Suite("How long things may be between the gate and the program of a PN532")
struct ReaderBoundTests {
    private func setup(
        device: String = "d", wakeUp: Int = 0, cycle: UInt16 = 200, exchange: UInt16 = 1600
    ) throws(FrameError) -> ReaderSetup {
        try ReaderSetup(
            device: device, wakeUpFrame: [UInt8](repeating: 0x6A, count: wakeUp), cycleMilliseconds: cycle, exchangeMilliseconds: exchange)
    }

    private func card(_ kind: ReportedCard.Kind = .isoDEP, uid: Int = 4, answer: Int = 0) throws(FrameError) -> ReportedCard {
        try ReportedCard(presentation: 1, kind: kind, atqa: 4, sak: 0x20, uid: [UInt8](repeating: 8, count: uid),
                         answerToSelect: [UInt8](repeating: 0x78, count: answer))
    }

    /// What is read where one is written.
    private func again(_ frame: ReaderFrame) throws -> ReaderFrame? {
        var (reader, input) = (ReaderFrameReader(), frame.bytes[...])
        return try reader.next(from: &input)
    }

    @Test func aDeviceHasAName() throws {
        let longest = String(repeating: "é", count: 100)
        let order = ReaderFrame.order(.setUp(try setup(device: longest, wakeUp: 24)))
        #expect(try again(order) == order)
        for name in ["", longest + "x", "/dev/tty\0", "\0"] {
            #expect(throws: FrameError.body("the device has no proper name")) { try setup(device: name) }
        }
    }

    @Test func aNameThatIsNotUTF8IsNone() throws {
        var bytes = ReaderFrame.order(.setUp(try setup(device: "abc"))).bytes
        bytes[6] = 0xFF
        var (reader, input) = (ReaderFrameReader(), bytes[...])
        #expect(throws: FrameError.body("the device has no proper name")) { try reader.next(from: &input) }
    }

    @Test func anECPFrameIsShortAndTimesAreNotZero() throws {
        #expect(throws: FrameError.body("an ECP frame has 25 bytes")) { try setup(wakeUp: 25) }
        #expect(throws: FrameError.body("a time is 0")) { try setup(cycle: 0) }
        #expect(throws: FrameError.body("a time is 0")) { try setup(exchange: 0) }
    }

    @Test(arguments: [(0, false), (3, false), (4, true), (262, true), (263, false), (508, false)])
    func aCommandHas4To262Bytes(count: Int, isOne: Bool) throws {
        let apdu = [UInt8](repeating: 0, count: count)
        guard isOne else {
            #expect(throws: FrameError.body("an APDU has \(count) bytes")) { try ReaderCommand(presentation: 1, apdu: apdu) }
            #expect(throws: FrameError.body("an APDU has \(count) bytes")) { try read(kind: 0x02, apdu) }
            return
        }
        let frame = ReaderFrame.order(.command(try ReaderCommand(presentation: 1, apdu: apdu)))
        #expect(try again(frame) == frame)
    }

    @Test(arguments: [(0, false), (1, false), (2, true), (264, true), (265, false), (508, false)])
    func anAnswerHas2To264Bytes(count: Int, isOne: Bool) throws {
        let apdu = [UInt8](repeating: 0, count: count)
        guard isOne else {
            #expect(throws: FrameError.body("an APDU has \(count) bytes")) { try ReaderAnswer(presentation: 1, apdu: apdu) }
            #expect(throws: FrameError.body("an APDU has \(count) bytes")) { try read(kind: 0x83, apdu) }
            return
        }
        let frame = ReaderFrame.report(.answer(try ReaderAnswer(presentation: 1, apdu: apdu)))
        #expect(try again(frame) == frame)
    }

    /// A frame that nobody here would write: a number of a presentation, and these bytes.
    private func read(kind: UInt8, _ bytes: [UInt8]) throws -> ReaderFrame? {
        let length = UInt16(bytes.count + 4)
        var (reader, input) = (ReaderFrameReader(), ([1, kind, UInt8(length >> 8), UInt8(length & 0xFF), 0, 0, 0, 1] + bytes)[...])
        return try reader.next(from: &input)
    }

    @Test func aCardNumberHas4Or7Or10Bytes() throws {
        for count in 0...255 {
            if [4, 7, 10].contains(count) {
                let frame = ReaderFrame.report(.card(try card(uid: count, answer: 254)))
                #expect(try again(frame) == frame)
            } else {
                #expect(throws: FrameError.body("a card number has \(count) bytes")) { try card(uid: count) }
            }
        }
    }

    @Test func anAnswerToSelectHasAnEndAndAUIDOnlyCardNone() throws {
        #expect(throws: FrameError.body("an answer to select has 255 bytes")) { try card(answer: 255) }
        #expect(throws: FrameError.body("an answer to select has 1 bytes")) { try card(.plain, answer: 1) }
        #expect(try card(.plain).answerToSelect == [])
    }

    @Test func aCardWhoseNumberGoesOnBeyondItsFrameIsRefused() throws {
        var bytes = ReaderFrame.report(.card(try card())).bytes
        // The length of the number, behind head, presentation, kind, ATQA and SAK.
        bytes[12] = 0xFF
        var (reader, input) = (ReaderFrameReader(), bytes[...])
        #expect(throws: FrameError.body("it ends too early")) { try reader.next(from: &input) }
    }

    @Test func aFirmwareCanBeShownToPeople() throws {
        #expect(ChipFirmware("PN532 v1.6\n\u{1B}[2Jé").text == "PN532 v1.6[2J")
        let longest = String(repeating: "x", count: 32)
        #expect(ChipFirmware(longest + "y").text == longest)
        let frame = ReaderFrame.report(.state(.open(ChipFirmware(longest))))
        #expect(try again(frame) == frame)
        for bytes in [Array((longest + "y").utf8), [0x0A], [0x7F], [0xC3, 0xA9]] {
            #expect(throws: FrameError.body("the firmware has no proper name")) { try ChipFirmware(parsing: bytes) }
        }
    }

    @Test func everyFailureOfAChipCanBeTold() throws {
        for failure in ChipFailure.allCases {
            let frame = ReaderFrame.report(.state(.failed(failure)))
            #expect(try again(frame) == frame)
        }
    }
}
