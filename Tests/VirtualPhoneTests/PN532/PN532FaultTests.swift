import Testing

@testable import VirtualPhone

/// What the chip says when it goes wrong on command.
@Suite struct PN532FaultTests {
    private static func faulty(_ fault: PN532Fault, at command: PN532Command? = nil, after: Int = 0, times: Int? = nil) -> ChipHost {
        var host = ChipHost.ready()
        host.chip.air.present(AirPhone(answering: { $0 + [0x90, 0x00] }))
        host.chip.misbehaviours = [PN532Misbehaviour(fault, at: command, after: after, times: times)]
        return host
    }

    private static let version = PN532Frame.information([0xD4, 0x02]).encoded
    private static let acknowledge = PN532Frame.acknowledge.encoded
    private static let answer: [UInt8] = [0x00, 0x00, 0xFF, 0x06, 0xFA, 0xD5, 0x03, 0x32, 0x01, 0x06, 0x07, 0xE8, 0x00]

    @Test func whatIsSaidOnTheLine() {
        let said: [(PN532Fault, [UInt8])] = [
            (.silent, []), (.acknowledgeOnly, acknowledge), (.noAcknowledge, answer), (.garbage([1, 2, 3]), acknowledge + [1, 2, 3]),
            (.wrongDataChecksum, acknowledge + answer.dropLast(2) + [0x17, 0x00]),
            (.wrongLengthChecksum, acknowledge + [0x00, 0x00, 0xFF, 0x06, 0xFB] + answer.dropFirst(5)),
            (.syntaxError, acknowledge + PN532Frame.syntaxError.encoded),
            (.oversized(by: 1), acknowledge + PN532Frame.information([0xD5, 0x03, 0x32, 0x01, 0x06, 0x07, 0xEE]).encoded)
        ]
        for (fault, bytes) in said {
            var host = Self.faulty(fault)
            #expect(host.send(Self.version) == bytes, "\(fault)")
        }
    }

    /// Also where the command would have been refused.
    @Test func silenceIsSilence() {
        var host = ChipHost()
        _ = host.send(ChipHost.wakeUp)
        host.chip.misbehaviours = [PN532Misbehaviour(.silent)]
        for command: [UInt8] in [[0x14, 0x01], [0x52, 0x00], [0x4A, 0x01, 0x00], [0x4A]] {
            #expect(host.send(PN532Frame.information([0xD4] + command).encoded) == [])
        }
    }

    private var acknowledge: [UInt8] { Self.acknowledge }
    private var answer: [UInt8] { Self.answer }

    @Test func statusesAreSpoiltWhereThereAreAny() {
        var host = Self.faulty(.status(0x80))
        #expect(host.ask([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
        #expect(host.ask([0x4A, 0x01, 0x00])?.count == 16)
        #expect(host.ask([0x40, 0x01, 0xAA]) == [0x41, 0x80, 0xAA, 0x90, 0x00])
        #expect(host.ask([0x52, 0x00]) == [0x53, 0x80])
    }

    @Test func lengthsInAReportAreSpoilt() {
        var host = Self.faulty(.selectLength(0))
        #expect(host.ask([0x4A, 0x01, 0x00]) == [0x4B, 0x01, 0x01, 0x00, 0x04, 0x20, 0x04, 0x08, 0x5A, 0x7E, 0x11, 0x00, 0x78, 0x80, 0x70, 0x02])
        host = Self.faulty(.identifierLength(255))
        #expect(host.ask([0x4A, 0x01, 0x00])?[6] == 255)
    }

    @Test func aContinuationWithNothingInIt() {
        var host = Self.faulty(.emptyContinuation, at: .exchangeData)
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x40, 0x01, 0xAA]) == [0x41, 0x40, 0xAA, 0x90, 0x00])
        #expect(host.ask([0x40, 0x01]) == [0x41])
    }

    @Test func bytesTrickle() {
        var host = Self.faulty(.trickle(nanoseconds: 1_000))
        #expect(host.send(Self.version) == Self.acknowledge)
        for (index, byte) in Self.answer.enumerated() {
            #expect(host.chip.nextTime == Int64(index + 1) * 1_000)
            #expect(host.chip.advance(to: Int64(index + 1) * 1_000) == [[byte]])
        }
        #expect(host.chip.nextTime == nil)
    }

    @Test func aStreamEndsWhenTheChipBehaves() {
        var host = Self.faulty(.endless(0x00))
        _ = host.send(Self.version)
        for _ in 0..<100 {
            let next = host.chip.nextTime ?? 0
            #expect(host.chip.advance(to: next).flatMap(\.self).allSatisfy { $0 == 0x00 })
        }
        host.chip.behave()
        #expect(host.chip.nextTime == nil)
        #expect(host.send(Self.version) == Self.acknowledge + Self.answer)
    }

    @Test func aCommandThatCameDuringAStreamIsAnsweredOnceTheChipBehaves() {
        var host = Self.faulty(.endless(0x00))
        _ = host.send(Self.version)
        host.chip.receive(Self.version, at: host.time)
        host.chip.behave()
        #expect(host.send([]) == Self.acknowledge + Self.answer)
        #expect(host.chip.nextTime == nil)
    }

    @Test func itHappensWhereAndAsOftenAsItIsSaid() {
        var host = Self.faulty(.silent, at: .getFirmwareVersion, after: 1, times: 2)
        let answered = (0..<5).map { _ in host.ask([0x02]) != nil }
        #expect(answered == [true, false, false, true, true])
        #expect(host.ask([0x12, 0x14]) == [0x13])
    }
}
