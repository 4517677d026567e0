import Testing

@testable import VirtualPhone

/// The chip byte for byte: the commands of the user manual (UM0701-02) as libnfc 1.8.0 sends them, answered as by a chip with
/// firmware 1.6. No real chip has been asked.
@Suite struct PN532ChipTests {
    private static let acknowledge: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]

    private static func phone(_ card: AirCard = .phone, _ misbehaviour: CardMisbehaviour? = nil) -> AirPhone {
        AirPhone(card, misbehaviour: misbehaviour, answering: { $0 + [0x90, 0x00] })
    }

    private static func ready(with phone: AirPhone? = PN532ChipTests.phone()) -> ChipHost {
        var host = ChipHost.ready()
        if let phone { host.chip.air.present(phone) }
        return host
    }

    // Waking ----------------------------------------------------------------------------------------

    /// libnfc: 55 55, fourteen zeros, then SAMConfiguration, Diagnose, GetFirmwareVersion, SetParameters.
    @Test func libnfcOpensIt() {
        var host = ChipHost()
        let configure: [UInt8] = [0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD4, 0x14, 0x01, 0x17, 0x00]
        #expect(host.send(ChipHost.wakeUp + configure) == Self.acknowledge + [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD5, 0x15, 0x16, 0x00])
        #expect(host.send([0x00, 0x00, 0xFF, 0x09, 0xF7, 0xD4, 0x00, 0x00, 0x6C, 0x69, 0x62, 0x6E, 0x66, 0x63, 0xBE, 0x00])
            == Self.acknowledge + [0x00, 0x00, 0xFF, 0x09, 0xF7, 0xD5, 0x01, 0x00, 0x6C, 0x69, 0x62, 0x6E, 0x66, 0x63, 0xBC, 0x00])
        #expect(host.send([0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00])
            == Self.acknowledge + [0x00, 0x00, 0xFF, 0x06, 0xFA, 0xD5, 0x03, 0x32, 0x01, 0x06, 0x07, 0xE8, 0x00])
        #expect(host.send([0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD4, 0x12, 0x14, 0x06, 0x00])
            == Self.acknowledge + [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD5, 0x13, 0x18, 0x00])
    }

    /// Others wake it with zeros alone, and ask for the version first.
    @Test func tenZerosWakeItToo() {
        var host = ChipHost()
        let version = PN532Frame.information([0xD4, 0x02]).encoded
        #expect(host.send([UInt8](repeating: 0, count: 10) + version).count == 6 + 13)
    }

    @Test func asleepItUnderstandsNothing() {
        var host = ChipHost()
        #expect(host.send([0x00, 0x00, 0xFF]) == [])
        #expect(host.chip.power != .normal)
        host = .ready()
        #expect(host.ask([0x16, 0xF0]) == [0x17, 0x00])
        #expect(host.chip.power == .asleep(edges: 0))
        #expect(host.send(PN532Frame.information([0xD4, 0x02]).encoded) == [])
    }

    @Test func theAntennaWaitsForTheConfiguration() {
        var host = ChipHost()
        _ = host.send(ChipHost.wakeUp)
        #expect(host.send(PN532Frame.information([0xD4, 0x4A, 0x01, 0x00]).encoded) == Self.acknowledge + PN532Frame.syntaxError.encoded)
    }

    // The line --------------------------------------------------------------------------------------

    @Test func everySplitOfAFrameIsOneFrame() {
        let frame = PN532Frame.information([0xD4, 0x02]).encoded
        for cut in 1..<frame.count {
            var host = ChipHost.ready()
            let first = host.send(Array(frame[..<cut]))
            #expect((first + host.send(Array(frame[cut...]))).count == 6 + 13)
        }
    }

    @Test func aHostThatDidNotUnderstandHearsItAgain() {
        var host = ChipHost.ready()
        let said = host.send(PN532Frame.information([0xD4, 0x02]).encoded)
        #expect(host.send(PN532Frame.notAcknowledge.encoded) == Array(said.dropFirst(6)))
    }

    @Test func unknownAndMalformedCommandsAreSyntaxErrors() {
        for command: [UInt8] in [[0x8C], [0x60, 0x01], [0x4A], [0x4A, 0x03, 0x00], [0x4A, 0x01, 0x09], [0x06, 0x63], [0x08, 0x63, 0x02],
                                 [0x32, 0x01], [0x32, 0x05, 0x00], [0x32, 0x99, 0x00], [0x14, 0x09], [0x12], [0x52], [0x4E, 0x01, 0x01],
                                 [0x4E, 0x01, 0x01, 0x02], [0x10, 0x09], [0x00, 0x77]] {
            var host = ChipHost.ready()
            let said = host.send(PN532Frame.information([0xD4] + command).encoded)
            #expect(said == Self.acknowledge + PN532Frame.syntaxError.encoded, "\(command)")
        }
    }

    @Test func registersKeepWhatIsWritten() {
        var host = ChipHost.ready()
        #expect(host.ask([0x08, 0x63, 0x02, 0x80, 0x63, 0x03, 0x80]) == [0x09])
        #expect(host.ask([0x06, 0x63, 0x02, 0x63, 0x03, 0x63, 0x0D]) == [0x07, 0x80, 0x80, 0x00])
    }

    // Finding phones --------------------------------------------------------------------------------

    @Test func aPhoneIsReportedWithItsATS() {
        var host = Self.ready()
        #expect(host.ask([0x4A, 0x01, 0x00])
            == [0x4B, 0x01, 0x01, 0x00, 0x04, 0x20, 0x04, 0x08, 0x5A, 0x7E, 0x11, 0x05, 0x78, 0x80, 0x70, 0x02])
        let sent = host.chip.air.drainRecords().compactMap(\.sent?.bytes)
        // REQA, anticollision, selection (with BCC and checksum), RATS for frames of 64 bytes.
        #expect(sent == [
            [0x26], [0x93, 0x20], AirFrame(checked: [0x93, 0x70, 0x08, 0x5A, 0x7E, 0x11, 0x3D]).bytes, AirFrame(checked: [0xE0, 0x50]).bytes
        ])
    }

    @Test func longIdentifiersAreReportedWithoutCascadeTags() {
        for identifier: [UInt8] in [[0x04, 1, 2, 3, 4, 5, 6], [0x04, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            var host = Self.ready(with: Self.phone(.plain(identifier)))
            #expect(host.ask([0x4A, 0x01, 0x00]) == [0x4B, 0x01, 0x01, 0x00, 0x44, 0x08, UInt8(identifier.count)] + identifier)
        }
    }

    @Test func withoutAutomaticRATSNobodyAsksForTheATS() {
        var host = Self.ready()
        _ = host.ask([0x12, 0x00])
        #expect(host.ask([0x4A, 0x01, 0x00]) == [0x4B, 0x01, 0x01, 0x00, 0x04, 0x20, 0x04, 0x08, 0x5A, 0x7E, 0x11])
    }

    @Test func onlyTheWantedPhoneIsReported() {
        var host = Self.ready()
        _ = host.ask([0x32, 0x05, 0x00, 0x01, 0x02])
        #expect(host.ask([0x4A, 0x01, 0x00, 0x08, 0x5A, 0x7E, 0x12]) == [0x4B, 0x00])
        #expect(host.ask([0x32, 0x01, 0x00]) == [0x33])
        #expect(host.ask([0x4A, 0x01, 0x00, 0x08, 0x5A, 0x7E, 0x11])?.count == 16)
    }

    @Test func anEmptyFieldIsTriedAsOftenAsConfigured() {
        var host = Self.ready(with: nil)
        _ = host.ask([0x32, 0x05, 0x00, 0x01, 0x02])
        #expect(host.ask([0x4A, 0x01, 0x00]) == [0x4B, 0x00])
        #expect(host.chip.air.drainRecords().map(\.event) == [.fieldOn] + Array(repeating: .sent(AirFrame([0x26], lastBits: 7)), count: 3))
        // Whoever looks for a leftover of the request in the interface's buffer finds it.
        #expect(host.ask([0x06, 0x63, 0x39]) == [0x07, 0x26])
    }

    @Test func aSearchWithoutEndFindsWhoComesLater() {
        var host = Self.ready(with: nil)
        #expect(host.send(PN532Frame.information([0xD4, 0x4A, 0x01, 0x00]).encoded) == Self.acknowledge)
        host.time += 1_000_000_000
        #expect(host.chip.advance(to: host.time) == [])
        host.chip.air.present(Self.phone())
        host.time += 10_000_000
        #expect(host.chip.advance(to: host.time).flatMap(\.self).starts(with: [0x00, 0x00, 0xFF, 0x11, 0xEF, 0xD5, 0x4B, 0x01]))
    }

    @Test func theHostCallsASearchOff() {
        var host = Self.ready(with: nil)
        _ = host.send(PN532Frame.information([0xD4, 0x4A, 0x01, 0x00]).encoded)
        #expect(host.send(PN532Frame.acknowledge.encoded) == [])
        #expect(host.chip.nextTime == nil)
        #expect(host.ask([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
    }

    // Talking ---------------------------------------------------------------------------------------

    @Test func commandsGoToThePhone() {
        var host = Self.ready()
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x40, 0x01, 0x00, 0xA4, 0x04, 0x00]) == [0x41, 0x00, 0x00, 0xA4, 0x04, 0x00, 0x90, 0x00])
        #expect(host.ask([0x40, 0x02, 0x00]) == [0x41, 0x27])
    }

    /// 262 bytes are the most that one frame to the host carries; what follows is fetched with empty commands.
    @Test(arguments: [0, 1, 260, 261, 522, 523, 1_000])
    func longAnswersComeInParts(count: Int) {
        let answer = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) } + [0x90, 0x00]
        var host = Self.ready(with: AirPhone(answering: { _ in answer }))
        _ = host.ask([0x4A, 0x01, 0x00])
        var (parts, part) = ([[UInt8]](), host.ask([0x40, 0x01, 0x00]) ?? [])
        while part.count > 1, part[1] == 0x40 {
            parts.append(Array(part.dropFirst(2)))
            part = host.ask([0x40, 0x01]) ?? []
        }
        parts.append(Array(part.dropFirst(2)))
        #expect(part.prefix(2) == [0x41, 0x00])
        #expect(parts.flatMap(\.self) == answer)
        #expect(parts.dropLast().allSatisfy { $0.count == 262 })
    }

    @Test func aCommandMayComeInParts() {
        var host = Self.ready()
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x40, 0x41, 0x01, 0x02]) == [0x41, 0x00])
        #expect(host.ask([0x40, 0x01, 0x03]) == [0x41, 0x00, 0x01, 0x02, 0x03, 0x90, 0x00])
    }

    @Test func aPhoneThatIsTooSlowOrGoneIsATimeOut() {
        // 51.2 ms after power-up.
        var host = Self.ready(with: Self.phone(.phone, .late(atCommand: 1, milliseconds: 52)))
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x40, 0x01, 0x00]) == [0x41, 0x01])
        host = Self.ready(with: Self.phone(.phone, .late(atCommand: 1, milliseconds: 1_600)))
        _ = host.ask([0x32, 0x02, 0x00, 0x0B, 0x0F])
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x40, 0x01, 0x00]) == [0x41, 0x00, 0x00, 0x90, 0x00])
        host.chip.air.remove()
        #expect(host.ask([0x40, 0x01, 0x00]) == [0x41, 0x01])
    }

    @Test func whatIsCalledOffHoldsNothingUp() {
        var host = Self.ready(with: Self.phone(.phone, .late(atCommand: 1, milliseconds: 40)))
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.send(PN532Frame.information([0xD4, 0x40, 0x01, 0x00]).encoded) == Self.acknowledge)
        #expect(host.send(PN532Frame.information([0xD4, 0x02]).encoded).count == 6 + 13)
    }

    @Test func withoutATimeLimitItWaitsUntilItIsCalledOff() {
        var host = Self.ready(with: Self.phone(.phone, .silent(atCommand: 1, forMilliseconds: nil)))
        _ = host.ask([0x32, 0x02, 0x00, 0x0B, 0x00])
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x40, 0x01, 0x00]) == nil)
        #expect(host.ask([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
    }

    /// What announces a reader: a frame with the checksum that the chip appends, to which nobody answers.
    @Test func rawFramesGoOutAsTheRegistersSay() {
        var host = Self.ready()
        let frame: [UInt8] = [0x6A, 0x02, 0xC3, 0x02, 0x06, 0x20, 0x42, 0x20]
        #expect(host.ask([0x42] + frame) == [0x43, 0x01])
        _ = host.ask([0x08, 0x63, 0x02, 0x80])
        #expect(host.ask([0x42] + frame) == [0x43, 0x01])
        _ = host.ask([0x08, 0x63, 0x02, 0x00, 0x63, 0x3D, 0x07])
        #expect(host.ask([0x42, 0x52]) == [0x43, 0x00, 0x04, 0x00])
        let sent = host.chip.air.drainRecords().compactMap(\.sent)
        #expect(sent == [AirFrame(frame), AirFrame(checked: frame), AirFrame([0x52], lastBits: 7)])
    }

    /// A request that nobody answered leaves the interface set for requests; a phone that was selected, for whole frames.
    @Test func aSearchSetsTheRegisters() {
        var host = Self.ready(with: nil)
        _ = host.ask([0x08, 0x63, 0x02, 0x80, 0x63, 0x03, 0x80])
        _ = host.ask([0x32, 0x05, 0x00, 0x01, 0x00])
        _ = host.ask([0x4A, 0x01, 0x00])
        let look: [UInt8] = [0x06, 0x63, 0x02, 0x63, 0x03, 0x63, 0x3D]
        #expect(host.ask(look) == [0x07, 0x00, 0x00, 0x07])
        host.chip.air.present(Self.phone())
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask(look) == [0x07, 0x80, 0x80, 0x00])
    }

    @Test func aPhoneThatIsLeftSleepsUntilItIsSelectedAgain() {
        var host = Self.ready()
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x44, 0x00]) == [0x45, 0x00])
        #expect(host.ask([0x54, 0x01]) == [0x55, 0x00])
        #expect(host.ask([0x40, 0x01, 0xAA]) == [0x41, 0x00, 0xAA, 0x90, 0x00])
        #expect(host.ask([0x52, 0x00]) == [0x53, 0x00])
        #expect(host.ask([0x54, 0x01]) == [0x55, 0x27])
        // A sleeping phone does not answer REQA; one whose field went off does.
        _ = host.ask([0x32, 0x05, 0x00, 0x01, 0x02])
        #expect(host.ask([0x4A, 0x01, 0x00]) == [0x4B, 0x00])
        _ = host.ask([0x32, 0x01, 0x00])
        #expect(host.ask([0x4A, 0x01, 0x00])?.count == 16)
    }

    @Test func aHigherRateIsAgreedWithThePhoneThatOffersIt() {
        var card = AirCard.phone
        card.answerToSelect = [0x05, 0x78, 0x91, 0x70, 0x02]
        var host = Self.ready(with: Self.phone(card))
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x4E, 0x01, 0x01, 0x01]) == [0x4F, 0x00])
        #expect(host.chip.air.rate == .r212)
        #expect(host.ask([0x40, 0x01, 0xAA]) == [0x41, 0x00, 0xAA, 0x90, 0x00])
        host = Self.ready()
        _ = host.ask([0x4A, 0x01, 0x00])
        #expect(host.ask([0x4E, 0x01, 0x01, 0x01]) == [0x4F, 0x01])
        #expect(host.chip.air.rate == .r106)
    }

    @Test func aResetForgetsEverythingButThePhone() {
        var host = Self.ready()
        _ = host.ask([0x4A, 0x01, 0x00])
        host.chip.reset()
        #expect(!host.chip.air.isFieldOn)
        #expect(host.send(PN532Frame.information([0xD4, 0x02]).encoded) == [])
        _ = host.send(ChipHost.wakeUp)
        #expect(host.ask([0x14, 0x01]) == [0x15])
        #expect(host.ask([0x4A, 0x01, 0x00])?.count == 16)
    }
}
