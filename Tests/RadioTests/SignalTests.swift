import Testing

@testable import Radio

@Suite("The strength of links")
struct SignalTests {
    /// 04 Event, 0E Command Complete, 07 length, 01 commands that may follow, 1405 Read RSSI, 00 status, 0040 handle, CE -50.
    static let answer: [UInt8] = [0x04, 0x0E, 0x07, 0x01, 0x05, 0x14, 0x00, 0x40, 0x00, 0xCE]

    @Test func anAnswerOfTheAdapterIsRead() {
        let event = StrengthEvent(Self.answer)
        #expect(event?.handle == 0x40)
        #expect(event?.dBm == -50)
        #expect(StrengthEvent.request(0x0E40) == [0x01, 0x05, 0x14, 0x02, 0x40, 0x0E])
    }

    @Test func aRefusalHasNoStrength() {
        // 02: there is no such connection.
        var answer = Self.answer
        answer[6] = 0x02
        #expect(StrengthEvent(answer)?.dBm == .some(nil))
        #expect(StrengthEvent(answer)?.status == 0x02)
        #expect(StrengthEvent(answer)?.handle == 0x40)
    }

    @Test func whatIsUnknownIsNoStrength() throws {
        let address = try #require(DeviceAddress("C0:00:00:00:00:01"))
        #expect(SignalAnswer(address: address, reported: 127).strength == .missing(.unknown))
        #expect(SignalAnswer(address: address, reported: -1).strength == .known(-1))
        #expect(SignalAnswer(address: address, reported: nil, status: 0x0C).strength == .missing(.refused(0x0C)))
        // The connection has ended: nothing is wrong with the adapter.
        #expect(SignalAnswer(address: address, reported: nil, status: 0x02).strength == .linkEnded)
    }

    @Test func anythingElseIsPassedOver() {
        for length in 0..<Self.answer.count { #expect(StrengthEvent(Self.answer.prefix(length)) == nil) }
        for index in [0, 1, 4, 5] {
            var other = Self.answer
            other[index] ^= 0x80
            #expect(StrengthEvent(other) == nil, "byte \(index)")
        }
        var short = Self.answer
        short[2] = 6
        #expect(StrengthEvent(short) == nil)
    }

    /// 0001 Command Complete, 0000 adapter, 000C length, 0031, 00 status, address, 02 random, C4 -60, 7F 7F transmit power.
    static let information: [UInt8] = [
        0x01, 0x00, 0x02, 0x00, 0x0C, 0x00, 0x31, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0xC0, 0x02, 0xC4, 0x7F, 0x7F
    ]

    @Test func anAnswerOfTheKernelIsRead() throws {
        let told = try #require(ConnectionInformation(Self.information))
        let address = try #require(DeviceAddress("C0:00:00:00:00:01", isRandom: true))
        #expect(told.adapter == 2)
        #expect(told.address == address)
        #expect(told.dBm == -60)
        #expect(ConnectionInformation.request(address, adapter: 2) == [0x31, 0, 2, 0, 7, 0, 0x01, 0, 0, 0, 0, 0xC0, 0x02])
        #expect(!ConnectionInformation.isPermissionDenied(Self.information))
    }

    @Test func whatTheKernelForbidsIsSeen() {
        // 0002 Command Status, no adapter, 0003 length, 0031, 14 permission denied.
        #expect(ConnectionInformation.isPermissionDenied([0x02, 0x00, 0xFF, 0xFF, 0x03, 0x00, 0x31, 0x00, 0x14]))
        #expect(!ConnectionInformation.isPermissionDenied([0x02, 0x00, 0xFF, 0xFF, 0x03, 0x00, 0x31, 0x00]))
        for length in 0..<17 { #expect(ConnectionInformation(Self.information.prefix(length)) == nil) }
        var classic = Self.information
        classic[15] = 0
        #expect(ConnectionInformation(classic) == nil)
    }

    @Test func samplesComeAtTheirTimes() {
        let link = RadioLink(radio: "r", id: 1)
        let other = RadioLink(radio: "r", id: 2)
        var plan = SamplingPlan()
        #expect(plan.next == nil)
        plan.add(link, every: 50, now: 100)
        plan.add(other, every: 70, now: 100)
        let first = plan.due(at: 100)
        #expect(first.ask == [link, other])
        let answers = [plan.answered(link), plan.answered(link)]
        #expect(answers == [true, false])
        #expect(plan.next == 150)
        let (early, second) = (plan.due(at: 149), plan.due(at: 150))
        #expect(early.ask.isEmpty)
        #expect(second.ask == [link])
        #expect(second.missed.isEmpty)
        // Nothing came for either in time.
        let late = plan.due(at: 200)
        #expect(late.ask == [link, other])
        #expect(late.missed == [link, other])
        plan.remove(link)
        plan.remove(other)
        #expect(plan.next == nil)
        let after = plan.answered(link)
        #expect(!after)
    }
}
