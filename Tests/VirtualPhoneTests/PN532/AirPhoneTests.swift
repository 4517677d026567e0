import Testing

@testable import VirtualPhone

/// The phone at the air interface: ISO/IEC 14443-3 and -4 type A.
@Suite struct AirPhoneTests {
    private static let request = AirFrame([0x26], lastBits: 7)
    private static let wakeUp = AirFrame([0x52], lastBits: 7)

    private static func ask(_ phone: inout AirPhone, _ frame: AirFrame, at time: Int64 = 0) -> AirFrame? {
        phone.receive(frame, at: time)?.frame
    }

    private static func speaking(_ card: AirCard = .phone, answer: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 + [0x90, 0x00] }) -> AirPhone {
        var phone = AirPhone(card, answering: answer)
        phone.field(isOn: true, at: 0)
        _ = ask(&phone, request)
        _ = ask(&phone, AirFrame([0x93, 0x20]))
        _ = ask(&phone, AirFrame(checked: [0x93, 0x70, 0x08, 0x5A, 0x7E, 0x11, 0x3D]))
        _ = ask(&phone, AirFrame(checked: [0xE0, 0x50]))
        return phone
    }

    /// ISO/IEC 14443-3, annex B: two examples of CRC_A.
    @Test func theChecksumsOfTheStandard() {
        #expect(CRCA.checksum([0x00, 0x00]) == [0xA0, 0x1E])
        #expect(CRCA.checksum([0x12, 0x34]) == [0x26, 0xCF])
    }

    @Test func aFrameWithoutItsChecksumIsNoAnswer() {
        #expect(AirFrame(checked: [0xE0, 0x50]).payload == [0xE0, 0x50])
        #expect(AirFrame([0xE0, 0x50, 0x00, 0x00]).payload == nil)
        #expect(AirFrame([0xE0]).payload == nil)
    }

    @Test func itIsToldApartSelectedAndActivated() {
        var phone = AirPhone(answering: { $0 })
        #expect(Self.ask(&phone, Self.request) == nil)
        phone.field(isOn: true, at: 0)
        #expect(Self.ask(&phone, Self.request) == AirFrame([0x04, 0x00]))
        #expect(Self.ask(&phone, AirFrame([0x93, 0x20])) == AirFrame([0x08, 0x5A, 0x7E, 0x11, 0x3D]))
        #expect(Self.ask(&phone, AirFrame(checked: [0x93, 0x70, 0x08, 0x5A, 0x7E, 0x11, 0x3D])) == AirFrame(checked: [0x20]))
        #expect(Self.ask(&phone, AirFrame(checked: [0xE0, 0x50])) == AirFrame(checked: [0x05, 0x78, 0x80, 0x70, 0x02]))
        #expect(phone.drainEvents() == [.powered])
        phone.field(isOn: false, at: 0)
        #expect(phone.drainEvents() == [.reset])
    }

    @Test func haltedItIsWokenByWUPAAlone() {
        var phone = Self.speaking()
        #expect(Self.ask(&phone, AirFrame(checked: [0xC2])) == AirFrame(checked: [0xC2]))
        #expect(Self.ask(&phone, Self.request) == nil)
        #expect(Self.ask(&phone, Self.wakeUp) == AirFrame([0x04, 0x00]))
    }

    /// Frames of at most 64 bytes: 61 bytes of an APDU in each.
    @Test func longAnswersAreChained() {
        let answer = (0..<100).map { UInt8($0) }
        var phone = Self.speaking { _ in answer }
        #expect(Self.ask(&phone, AirFrame(checked: [0x02, 0xAA])) == AirFrame(checked: [0x12] + answer[..<61]))
        #expect(Self.ask(&phone, AirFrame(checked: [0xA3])) == AirFrame(checked: [0x03] + answer[61...]))
    }

    @Test func longCommandsAreChained() {
        var phone = Self.speaking()
        #expect(Self.ask(&phone, AirFrame(checked: [0x12, 0x01])) == AirFrame(checked: [0xA2]))
        #expect(Self.ask(&phone, AirFrame(checked: [0x03, 0x02])) == AirFrame(checked: [0x03, 0x01, 0x02, 0x90, 0x00]))
    }

    /// Rules 11 and 12: what was lost is said again, what was not is acknowledged.
    @Test func whoDidNotHearAsksAgain() {
        var phone = Self.speaking()
        #expect(Self.ask(&phone, AirFrame(checked: [0xB2])) == AirFrame(checked: [0xA3]))
        let said = Self.ask(&phone, AirFrame(checked: [0x02, 0xAA]))
        #expect(Self.ask(&phone, AirFrame(checked: [0xB2])) == said)
        #expect(Self.ask(&phone, AirFrame(checked: [0xB3])) == AirFrame(checked: [0xA2]))
    }

    @Test func itAsksForMoreTimeAsOftenAsItIsTold() {
        var card = AirCard.phone
        card.waitingTimeRequests = 2
        var phone = Self.speaking(card)
        #expect(Self.ask(&phone, AirFrame(checked: [0x02, 0xAA])) == AirFrame(checked: [0xF2, 0x01]))
        #expect(Self.ask(&phone, AirFrame(checked: [0xF2, 0x01])) == AirFrame(checked: [0xF2, 0x01]))
        #expect(Self.ask(&phone, AirFrame(checked: [0xF2, 0x01])) == AirFrame(checked: [0x02, 0xAA, 0x90, 0x00]))
    }

    @Test func wrongChecksumsAndUnknownBlocksAreNotAnswered() {
        var phone = Self.speaking()
        #expect(Self.ask(&phone, AirFrame([0x02, 0xAA, 0x00, 0x00])) == nil)
        for header: UInt8 in [0x00, 0x06, 0x0A, 0x22, 0x80, 0xC0, 0xE2, 0xFF] {
            #expect(Self.ask(&phone, AirFrame(checked: [header, 0x01])) == nil, "\(header)")
        }
        #expect(Self.ask(&phone, AirFrame(checked: [0x02, 0xAA])) == AirFrame(checked: [0x02, 0xAA, 0x90, 0x00]))
    }

    // Express mode ------------------------------------------------------------------------------------

    private static func express(frames: Int = 2) -> AirPhone {
        var card = AirCard.phone
        card.expressMode = ExpressMode(identifier: [0x20, 0x42, 0x20], frames: frames)
        var phone = AirPhone(card, answering: { $0 })
        phone.field(isOn: true, at: 0)
        return phone
    }

    private static let announcement = AirFrame(checked: [0x6A, 0x02, 0xC3, 0x02, 0x06, 0x20, 0x42, 0x20])

    @Test func inExpressModeItAnswersWhoeverNamesIt() {
        var phone = Self.express()
        #expect(Self.ask(&phone, Self.request) == nil)
        #expect(Self.ask(&phone, Self.announcement) == nil)
        #expect(Self.ask(&phone, Self.request) == nil)
        #expect(Self.ask(&phone, Self.announcement) == nil)
        #expect(Self.ask(&phone, Self.request) == AirFrame([0x04, 0x00]))
    }

    @Test func whoAsksAgainAndAgainIsNotAnswered() {
        var phone = Self.express()
        for _ in 0..<6 {
            _ = Self.ask(&phone, Self.announcement)
            #expect(Self.ask(&phone, Self.request) == nil)
            #expect(Self.ask(&phone, Self.request) == nil)
        }
    }

    /// An iPhone forgets what it heard when the field was off for more than 300 ms.
    @Test func aFieldThatIsOffForLongIsForgotten() {
        for (pause, isAwake) in [(200, true), (300, true), (301, false)] as [(Int64, Bool)] {
            var phone = Self.express()
            _ = Self.ask(&phone, Self.announcement)
            phone.field(isOn: false, at: 1_000_000_000)
            phone.field(isOn: true, at: 1_000_000_000 + pause * 1_000_000)
            _ = Self.ask(&phone, Self.announcement)
            #expect((Self.ask(&phone, Self.request) != nil) == isAwake, "\(pause) ms")
        }
    }

    @Test(arguments: [
        [0x6A, 0x02, 0xC4, 0x02, 0x06, 0x20, 0x42, 0x20], [0x6A, 0x02, 0xC3, 0x02, 0x06, 0x20, 0x42, 0x21], [0x6A, 0x01, 0x20, 0x42],
        [0x6A, 0x03, 0x20, 0x42, 0x20], [0x6B, 0x02, 0xC3, 0x02, 0x06, 0x20, 0x42, 0x20], [0x6A, 0x02]
    ])
    func otherFramesDoNotWakeIt(frame: [UInt8]) {
        var phone = Self.express(frames: 1)
        _ = Self.ask(&phone, AirFrame(checked: frame))
        #expect(Self.ask(&phone, Self.request) == nil)
        // Without its checksum the right one is nothing either.
        _ = Self.ask(&phone, AirFrame(Array(Self.announcement.bytes.dropLast(2)) + [0, 0]))
        #expect(Self.ask(&phone, Self.request) == nil)
    }
}
