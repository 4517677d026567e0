import Encoding
import Testing

@Suite("Chained commands and answers in parts")
struct ChainingTests {
    private static let limit = 2_000

    private func data(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) } }

    @Test("A chain put together again is the command it was", arguments: [0, 1, 255, 256, 510, 511, 2_000])
    func chainRoundTrip(_ count: Int) throws {
        let command = CommandAPDU(
            cla: 0x80, ins: 0xE2, p1: 1, p2: 2, data: data(count), expectedLength: 256)
        let chain = CommandChain(command)
        #expect(chain.commands.count == max(1, (count + 254) / 255))
        #expect(chain.commands.dropLast().allSatisfy { $0.cla == 0x90 && $0.expectedLength == nil })
        #expect(chain.commands.allSatisfy { $0.encoded.count <= 261 })
        var collector = CommandCollector(limit: Self.limit)
        for link in chain.commands.dropLast() {
            #expect(try collector.receive(link) == .acknowledge)
        }
        let last = try #require(chain.commands.last)
        #expect(try collector.receive(last) == .complete(command))
    }

    @Test("Links can be shorter, and then never ask for more than a short answer")
    func linkCount() {
        let command = CommandAPDU(cla: 0, ins: 1, data: data(10), expectedLength: 65_536)
        let chain = CommandChain(command, linkCount: 4)
        #expect(chain.commands.map(\.data.count) == [4, 4, 2])
        #expect(chain.commands.map(\.expectedLength) == [nil, nil, 256])
    }

    @Test("A chain interrupted by another command is broken, and the next one starts afresh")
    func brokenChain() throws {
        let link = CommandAPDU(cla: 0x90, ins: 0xE2, data: [1])
        for other in [
            CommandAPDU(cla: 0x80, ins: 0xE4, data: [2]), CommandAPDU(cla: 0x00, ins: 0xE2, data: [2]),
            CommandAPDU(cla: 0x80, ins: 0xE2, p1: 1, data: [2]),
            CommandAPDU(cla: 0x80, ins: 0xE2, p2: 1, data: [2])
        ] {
            var collector = CommandCollector(limit: Self.limit)
            _ = try collector.receive(link)
            #expect(throws: APDUError.brokenChain) { try collector.receive(other) }
            #expect(try collector.receive(other) == .complete(other))
        }
    }

    @Test("A chain longer than the limit is refused")
    func chainTooLong() throws {
        var collector = CommandCollector(limit: 3)
        let link = CommandAPDU(cla: 0x90, ins: 0xE2, data: [1, 2])
        #expect(try collector.receive(link) == .acknowledge)
        #expect(throws: APDUError.tooMuchData(limit: 3)) { try collector.receive(link) }
        #expect(try collector.receive(link) == .acknowledge)
    }

    @Test("An answer in parts is put together", arguments: [0, 1, 256, 257, 512, 513, 2_000])
    func answerRoundTrip(_ count: Int) throws {
        var card = ResponseSplitter(data(count))
        var reader = ResponseCollector(limit: Self.limit)
        var action = try reader.receive(card.next())
        while case .send(let command) = action {
            #expect(command.ins == 0xC0)
            #expect(command.encoded.count == 5)
            action = try reader.receive(card.next(expectedLength: command.expectedLength))
        }
        #expect(action == .complete(data(count), .success))
        #expect(card.isEmpty)
    }

    @Test("GET RESPONSE asks for as much as 61xx said")
    func asksForWhatIsThere() throws {
        var reader = ResponseCollector(limit: 300, cla: 0x80)
        let first = try reader.receive(ResponseAPDU(data: [1], status: .moreAvailable(20)))
        #expect(first == .send(CommandAPDU(cla: 0x80, ins: 0xC0, expectedLength: 20)))
        let second = try reader.receive(ResponseAPDU(data: [2], status: .moreAvailable(256)))
        #expect(second == .send(CommandAPDU(cla: 0x80, ins: 0xC0, expectedLength: 256)))
        let end = try reader.receive(ResponseAPDU(data: [3], status: .conditionsNotSatisfied))
        #expect(end == .complete([1, 2, 3], .conditionsNotSatisfied))
    }

    @Test("A card that sends or promises more than the limit is refused")
    func bound() throws {
        var reader = ResponseCollector(limit: 2)
        #expect(throws: APDUError.tooMuchData(limit: 2)) { try reader.receive(ResponseAPDU(data: [1, 2, 3])) }
        var other = ResponseCollector(limit: 2)
        #expect(throws: APDUError.tooMuchData(limit: 2)) {
            try other.receive(ResponseAPDU(data: [1], status: .moreAvailable(2)))
        }
    }

    @Test("A card that promises for ever and sends nothing is refused at its second promise")
    func noProgress() throws {
        var reader = ResponseCollector(limit: 100)
        let promise = ResponseAPDU(status: .moreAvailable(1))
        #expect(try reader.receive(promise) == .send(CommandAPDU(cla: 0, ins: 0xC0, expectedLength: 1)))
        #expect(throws: APDUError.noProgress) { try reader.receive(promise) }
    }
}
