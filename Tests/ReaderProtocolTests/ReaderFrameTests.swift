import Encoding
import Testing

@testable import ReaderProtocol

@Suite("Frames between the gate and the program of a PN532")
struct ReaderFrameTests {
    /// One of each kind, and how it is written.
    static func examples() throws -> [(ReaderFrame, String)] {
        let setup = try ReaderSetup(
            device: "pn532_uart:/dev/é", wakeUpFrame: [0x6A, 0x02, 0xC3, 0x02, 0x06, 0x20, 0x42, 0x20], cycleMilliseconds: 200,
            exchangeMilliseconds: 1600, bitRate: .kilobits212, reportsUIDOnlyCards: true)
        let phone = try ReportedCard(
            presentation: 0x0102_0304, kind: .isoDEP, atqa: 0x0004, sak: 0x20, uid: [0x08, 1, 2, 3], answerToSelect: [0x78, 0x80, 0x70, 0x02])
        let card = try ReportedCard(presentation: 2, kind: .plain, atqa: 0x0044, sak: 0x00, uid: [4, 1, 2, 3, 4, 5, 6])
        let beat = ReaderBeat(phase: .exchanging, milliseconds: 513, cycles: 0xFFFF_FFFF, faults: 3)
        return [
            // version, kind, length; device, ECP frame, 200 ms, 1600 ms, 212 kbit/s, UID-only cards
            (.order(.setUp(setup)), "01010022" + "12706e3533325f756172743a2f6465762fc3a9" + "086a02c30206204220" + "00c8" + "0640" + "01" + "01"),
            (.order(.command(try ReaderCommand(presentation: 1, apdu: [0x00, 0xA4, 0x04, 0x00]))), "01020008" + "00000001" + "00a40400"),
            (.order(.end(presentation: 0xFFFF_FFFF, .holdUntilAway)), "01030005" + "ffffffff" + "00"),
            (.order(.end(presentation: 7, .pollOn)), "01030005" + "00000007" + "01"),
            (.order(.abort), "01040000"),
            (.order(.reopen), "01050000"),
            (.report(.state(.opening)), "01810001" + "00"),
            (.report(.state(.open(ChipFirmware("PN532 v1.6")))), "0181000b" + "01" + "504e3533322076312e36"),
            (.report(.state(.failed(.portHeld))), "01810002" + "02" + "03"),
            (.report(.card(phone)), "01820012" + "01020304" + "00" + "0004" + "20" + "0408010203" + "0478807002"),
            (.report(.card(card)), "01820011" + "00000002" + "01" + "0044" + "00" + "0704010203040506" + "00"),
            (.report(.answer(try ReaderAnswer(presentation: 1, apdu: [0x90, 0x00]))), "01830006" + "00000001" + "9000"),
            (.report(.failed(ExchangeFailure(presentation: 1, cause: .chip, number: -6))), "01840006" + "00000001" + "02" + "fa"),
            (.report(.empty), "01850000"),
            (.report(.beat(beat)), "0186000b" + "03" + "0201" + "ffffffff" + "00000003")
        ]
    }

    /// What a stream of bytes has in it, given in pieces of that length.
    static func frames(in stream: [UInt8], pieces: Int) throws -> [ReaderFrame] {
        var reader = ReaderFrameReader()
        var frames: [ReaderFrame] = []
        for start in stride(from: 0, to: stream.count, by: pieces) {
            var piece = stream[start..<min(start + pieces, stream.count)]
            while let frame = try reader.next(from: &piece) { frames.append(frame) }
            #expect(piece.isEmpty)
        }
        return frames
    }

    @Test func eachIsWrittenAndReadAsItIs() throws {
        for (frame, hex) in try Self.examples() {
            #expect(Hex.encode(frame.bytes) == hex)
            #expect(try Self.frames(in: Hex.decode(hex), pieces: hex.utf8.count) == [frame])
        }
    }

    @Test func theyAreReadFromPiecesOfAnyLength() throws {
        let examples = try Self.examples()
        let stream = examples.flatMap(\.0.bytes)
        for length in 1...stream.count {
            #expect(try Self.frames(in: stream, pieces: length) == examples.map(\.0))
        }
    }

    @Test func nothingBehindAFrameIsTakenWithIt() throws {
        let longest = try ReaderFrame.report(.answer(ReaderAnswer(presentation: 1, apdu: [UInt8](repeating: 0x90, count: 264)))).bytes
        var reader = ReaderFrameReader()
        var input = (longest + [0x01, 0x85])[...]
        let frame = try reader.next(from: &input)
        #expect(frame?.bytes == longest)
        #expect(Array(input) == [0x01, 0x85])
    }

    @Test func aFrameThatIsNotWholeIsNone() throws {
        for (frame, _) in try Self.examples() {
            var reader = ReaderFrameReader()
            var input = frame.bytes.dropLast()
            let found = try reader.next(from: &input)
            #expect(found == nil)
            #expect(input.isEmpty)
        }
    }

    @Test func whoeverWroteNoFrameIsNeverReadAgain() throws {
        var reader = ReaderFrameReader()
        var wrong: ArraySlice<UInt8> = [0x02]
        #expect(throws: FrameError.version(2)) { try reader.next(from: &wrong) }
        var right: ArraySlice<UInt8> = [0x01, 0x85, 0x00, 0x00]
        #expect(throws: FrameError.version(2)) { try reader.next(from: &right) }
        #expect(right.count == 4)
    }

    @Test func aWrongHeadIsRefusedAtItsFirstWrongByte() throws {
        let heads: [([UInt8], FrameError)] = [
            ([0x00], .version(0)), ([0x7B], .version(0x7B)), ([0x01, 0x00], .kind(0)), ([0x01, 0x06], .kind(6)), ([0x01, 0x80], .kind(0x80)),
            ([0x01, 0x87], .kind(0x87)), ([0x01, 0x83, 0x02, 0x01], .length(513)), ([0x01, 0x83, 0xFF, 0xFF], .length(65_535))
        ]
        for (bytes, error) in heads {
            var (reader, before) = (ReaderFrameReader(), bytes.dropLast())
            let none = try reader.next(from: &before)
            #expect(none == nil)
            var last = bytes.suffix(1)
            #expect(throws: error) { try reader.next(from: &last) }
        }
    }

    @Test("A body that is not that of its kind is refused", arguments: [
        ("01010000", "it ends too early"), ("0103000400000001", "it ends too early"),
        ("010300060000000100ff", "1 bytes follow its last field"),
        ("010300050000000102", "a field has the unknown value 2"), ("0104000100", "1 bytes follow its last field"),
        ("0105000100", "1 bytes follow its last field"), ("01810000", "it ends too early"),
        ("0181000103", "a field has the unknown value 3"), ("018100020001", "1 bytes follow its last field"),
        ("018100020200", "a field has the unknown value 0"), ("018100020208", "a field has the unknown value 8"),
        ("01850001aa", "1 bytes follow its last field"),
        ("0186000b0500000000000000000000", "a field has the unknown value 5"),
        ("0186000a00000000000000000000", "it ends too early"),
        ("01840006000000010300", "a field has the unknown value 3"), ("018400050000000100", "it ends too early")
    ])
    func wrongBodies(hex: String, flaw: String) throws {
        #expect(throws: FrameError.body(flaw)) { try Self.frames(in: Hex.decode(hex), pieces: 64) }
    }

    @Test func whatIsWrongHasASentenceOfItsOwn() {
        let errors: [FrameError] = [.version(2), .kind(9), .length(600), .body("it ends too early"), .body("a card number has 255 bytes")]
        for error in errors { #expect(error.message.hasSuffix(".")) }
        #expect(Set(errors.map(\.message)).count == errors.count)
    }
}
