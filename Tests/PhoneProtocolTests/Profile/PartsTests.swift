import Encoding
import Testing
@testable import PhoneProtocol

/// The small encodings of onTouch, as docs/phone-protocol.md states them.
@Suite struct PartsTests {
    @Test func theGateContextHasTheStatedBytes() {
        let context = GateContext(
            gateIdentifier: "g", lane: "main", carrier: .nfc, mode: .onTouch, time: 1_800_000_000, cacheGeneration: 7,
            wantsSecondFactor: true)
        // [1, "g", "main", 0, 0, 1800000000, 7, true]
        let value: [UInt8] = [0x88, 0x01, 0x61, 0x67, 0x64] + Array("main".utf8) + [0, 0, 0x1A, 0x6B, 0x49, 0xD2, 0x00, 0x07, 0xF5]
        #expect(context.item == EADItem(label: 54353, isCritical: true, value: value))
        #expect(GateContext(value: value) == context)
        #expect(GateContext.version(ofValue: [0x81, 0x05]) == 5)
        #expect(GateContext.version(ofValue: []) == nil)
    }

    @Test func thePhoneRequestHasTheStatedBytes() {
        let request = PhoneRequest(carrier: .nfc, lane: "main", canUseNFC: true, language: "en")
        // [0, "main", null, 4, "en"]
        let value: [UInt8] = [0x85, 0x00, 0x64] + Array("main".utf8) + [0xF6, 0x04, 0x62] + Array("en".utf8)
        #expect(request.item == EADItem(label: 54354, isCritical: true, value: value))
        #expect(PhoneRequest(value: value) == request)
        #expect(request.command == "tokn")
        let all = PhoneRequest(
            carrier: .ble, lane: "main", trigger: .manual, isForeground: true, isUnlocked: true, canUseNFC: true)
        // [1, "main", null, 15, null]
        #expect(all.item.value == [0x85, 0x01, 0x64] + Array("main".utf8) + [0xF6, 0x0F, 0xF6])
        for flags in UInt8(0)...15 {
            let value: [UInt8] = [0x85, 0x01, 0x64] + Array("main".utf8) + [0xF6, flags, 0xF6]
            #expect(PhoneRequest(value: value)?.isUnlocked == (flags & 8 != 0))
            #expect(PhoneRequest(value: value)?.item.value == value)
        }
    }

    @Test func aRequestOutOfBoundsIsNone() {
        func value(_ items: [CBOR]) -> [UInt8] { CBOR.array(items).encoded }
        let long = CBOR.text(String(repeating: "x", count: 36))
        #expect(PhoneRequest(value: value([0, "main", .null, 16, .null])) == nil, "unknown flag")
        #expect(PhoneRequest(value: value([2, "main", .null, 0, .null])) == nil, "unknown carrier")
        #expect(PhoneRequest(value: value([0, "main", "", 0, .null])) == nil, "empty command")
        #expect(PhoneRequest(value: value([0, "main", long, 0, .null])) == nil, "long command")
        #expect(PhoneRequest(value: value([0, "main", .null, 0, long])) == nil, "long language")
        #expect(PhoneRequest(value: value([0, long, .null, 0, .null])) == nil, "long lane")
        #expect(PhoneRequest(value: value([0, "main", .null, 0, .null, 0])) == nil, "a sixth field")
        #expect(PhoneRequest(value: value([0, "main", .null, 0, .null]) + [0]) == nil, "more after it")
    }

    /// A byte that says what it is, and at most 500 in all.
    @Test func aFrameHasTheStatedBytes() {
        #expect(Frame(.message, [0xAA]).encoded == [0x00, 0xAA])
        #expect(Frame(.error, [0x03, 0xF5]).encoded == [0x01, 0x03, 0xF5])
        #expect(Frame(.outcome, []).encoded == [0x02])
        for kind in FrameKind.allCases {
            let longest = Frame(kind, [UInt8](repeating: 7, count: 499))
            #expect(Frame(parsing: longest.encoded) == longest)
            #expect(Frame(parsing: longest.encoded + [0]) == nil)
        }
        #expect(Frame(parsing: []) == nil)
        for kind in UInt8(3)...255 { #expect(Frame(parsing: [kind, 0xAA]) == nil) }
    }

    @Test func theOutcomeHasTheStatedBytes() {
        let outcome = PhoneOutcome(
            result: .refused, reason: .cooldownSuccess, retryAfterMilliseconds: 2000, journalHead: [1, 2])
        // [1, 1, 64, 2000, h'0102', null]
        let bytes: [UInt8] = [0x86, 0x01, 0x01, 0x18, 0x40, 0x19, 0x07, 0xD0, 0x42, 0x01, 0x02, 0xF6]
        #expect(outcome.encoded == bytes)
        #expect(PhoneOutcome(parsing: bytes) == outcome)
        #expect(outcome.reason == .cooldownSuccess)
        #expect(PhoneOutcome(result: .refused, reasonNumber: 9999).reason == nil, "unknown numbers are tolerated")
    }

    @Test func theSelectAnswerHasTheStatedBytes() {
        let answer = SelectAnswer(message1: [0xAA, 0xBB])
        let bytes: [UInt8] = [0x6F, 0x09, 0xA5, 0x07, 0x80, 0x01, 0x01, 0x81, 0x02, 0xAA, 0xBB]
        #expect(answer.encoded == bytes)
        #expect(SelectAnswer(parsing: bytes) == answer)
        // With the DF name that some platforms add.
        let withName: [UInt8] = [0x6F, 0x0D, 0x84, 0x02, 0xF0, 0x74] + bytes.dropFirst(2)
        #expect(SelectAnswer(parsing: withName) == answer)
    }

    /// RFC 9528, 3.3.2: one byte in message_1 and message_2, and other people's libraries take no other of one byte.
    @Test func connectionsAreNamedByAnInteger() {
        #expect(CompactIdentifier.encode(PhoneProtocolProfile.connectionIdentifier) == PhoneProtocolProfile.connectionIdentifier)
    }

    /// Same key, another nonce for every message: n XORed into the last bytes.
    @Test(arguments: CipherSuite.ofGates) func theChannelCounts(suite: CipherSuite) throws {
        let lengths: (key: Int, nonce: Int, tag: Int) = switch suite {
        case .suite0, .suite1, .suite2, .suite3: (16, 13, 8)
        case .suite5: (32, 12, 16)
        case .suite6: (16, 12, 16)
        }
        let session = EDHOCSession(suite: suite, prk4e3m: [UInt8](repeating: 1, count: 32), transcript4: [UInt8](repeating: 2, count: 32))
        var sender = ApplicationChannel.gateToPhone(session)
        var receiver = ApplicationChannel.gateToPhone(session)
        let first = try sender.seal([7])
        let second = try sender.seal([7])
        #expect(first != second)
        #expect(first.count == 1 + lengths.tag)
        var nonce = session.export(label: 32769, length: lengths.nonce)
        nonce[lengths.nonce - 1] ^= 1
        #expect(try session.suite.applicationAEAD.open(
            second, key: session.export(label: 32768, length: lengths.key), nonce: nonce, additionalData: []) == [7])
        let opened = (receiver.open(first), receiver.open(second), receiver.open(second))
        #expect(opened.0 == [7])
        #expect(opened.1 == [7])
        #expect(opened.2 == nil, "no message twice")
    }
}
