import Encoding
import Testing

@Suite("APDUs")
struct APDUTests {
    @Test("All seven forms of a command, both ways")
    func commandForms() throws {
        let long = [UInt8](repeating: 0xAB, count: 256)
        let forms: [(CommandAPDU, [UInt8])] = [
            // Case 1: header alone.
            (CommandAPDU(cla: 0x80, ins: 0xE2, p1: 1, p2: 2), [0x80, 0xE2, 1, 2]),
            // Case 2 short.
            (CommandAPDU(cla: 0, ins: 0xC0, expectedLength: 1), [0, 0xC0, 0, 0, 1]),
            (CommandAPDU(cla: 0, ins: 0xC0, expectedLength: 256), [0, 0xC0, 0, 0, 0]),
            // Case 3 short.
            (CommandAPDU(cla: 0, ins: 0xA4, p1: 4, data: [0xF0]), [0, 0xA4, 4, 0, 1, 0xF0]),
            // Case 4 short.
            (
                CommandAPDU(cla: 0, ins: 0xA4, p1: 4, data: [0xF0, 0x74], expectedLength: 256),
                [0, 0xA4, 4, 0, 2, 0xF0, 0x74, 0]
            ),
            // Case 2 extended.
            (CommandAPDU(cla: 0, ins: 0xC0, expectedLength: 257), [0, 0xC0, 0, 0, 0, 1, 1]),
            (CommandAPDU(cla: 0, ins: 0xC0, expectedLength: 65_536), [0, 0xC0, 0, 0, 0, 0, 0]),
            // Case 3 extended.
            (CommandAPDU(cla: 0, ins: 0xD6, data: long), [0, 0xD6, 0, 0, 0, 1, 0] + long),
            // Case 4 extended.
            (
                CommandAPDU(cla: 0, ins: 0xD6, data: long, expectedLength: 65_536),
                [0, 0xD6, 0, 0, 0, 1, 0] + long + [0, 0]
            ),
            (
                CommandAPDU(cla: 0, ins: 0xD6, data: [7], expectedLength: 300),
                [0, 0xD6, 0, 0, 0, 0, 1, 7, 1, 0x2C]
            )
        ]
        for (command, bytes) in forms {
            #expect(command.encoded == bytes)
            #expect(try CommandAPDU(parsing: bytes) == command)
        }
    }

    @Test("A command whose lengths do not agree is refused", arguments: [
        "00a404000211", "00a404000211223344", "00a404000000", "00a4040000000011", "00a4040000000211",
        "00a404000000011122", "00a4040000000111223344", "00a404000000000000"
    ])
    func wrongLengths(_ hex: String) throws {
        let bytes = try Hex.decode(hex)
        #expect(throws: APDUError.wrongLength) { try CommandAPDU(parsing: bytes) }
    }

    @Test("Less than a header, less than a status word, more than can be")
    func tooShortOrLong() {
        for count in 0..<4 {
            let bytes = [UInt8](repeating: 0, count: count)
            #expect(throws: APDUError.tooShort(count: count)) { try CommandAPDU(parsing: bytes) }
        }
        #expect(throws: APDUError.tooShort(count: 0)) { try ResponseAPDU(parsing: []) }
        #expect(throws: APDUError.tooShort(count: 1)) { try ResponseAPDU(parsing: [0x90]) }
        let huge = [UInt8](repeating: 0, count: 65_539)
        #expect(throws: APDUError.tooLong(count: 65_539)) { try ResponseAPDU(parsing: huge) }
    }

    @Test("The largest command and the largest response pass")
    func largest() throws {
        let data = [UInt8](repeating: 1, count: 65_535)
        let command = CommandAPDU(cla: 0, ins: 0xD6, data: data, expectedLength: 65_536)
        #expect(try CommandAPDU(parsing: command.encoded) == command)
        let response = ResponseAPDU(data: data + [1])
        #expect(try ResponseAPDU(parsing: response.encoded) == response)
    }

    @Test("A response is data and a status word")
    func response() throws {
        let response = try ResponseAPDU(parsing: [1, 2, 0x6A, 0x82])
        #expect(response.data == [1, 2])
        #expect(response.status == .fileNotFound)
        #expect(response.encoded == [1, 2, 0x6A, 0x82])
        #expect(response.status.description == "6a82")
    }

    @Test("61xx says how much more there is")
    func moreAvailable() {
        #expect(StatusWord.moreAvailable(1).rawValue == 0x6101)
        #expect(StatusWord.moreAvailable(255).rawValue == 0x61FF)
        #expect(StatusWord.moreAvailable(256).rawValue == 0x6100)
        #expect(StatusWord.moreAvailable(1_000).rawValue == 0x6100)
        #expect(StatusWord.moreAvailable(7).availableCount == 7)
        #expect(StatusWord.moreAvailable(256).availableCount == 256)
        #expect(StatusWord.success.availableCount == nil)
    }

    @Test("Every refusal has a code and a sentence of its own")
    func catalogue() {
        let all: [APDUError] = [
            .tooShort(count: 1), .tooLong(count: 1), .wrongLength, .tooMuchData(limit: 1), .noProgress,
            .brokenChain
        ]
        #expect(Set(all.map(\.code)).count == all.count)
        #expect(Set(all.map(\.message)).count == all.count)
    }
}
