import Foundation
import Testing
import Threads

@testable import VirtualPhone

/// The virtual chip judged by those who know the real one: unmodified libnfc at the other end of the port.
@Suite struct LibnfcTests {
    private static let announcement = "6A02CB0206204220" + "0011223344556677"
    private static let ready = ["initiator", "time-out", "1700"]

    private static func echoing(_ card: AirCard = .phone, _ misbehaviour: CardMisbehaviour? = nil) -> AirPhone {
        AirPhone(card, misbehaviour: misbehaviour, answering: { $0 + [0x90, 0x00] })
    }

    @Test func aPhoneIsFoundSpokenToAndLeft() throws {
        let log = AirLog()
        let chip = try VirtualPN532(onAir: log.add, onCard: log.add)
        chip.present(Self.echoing())
        let probe = try NFCProbe.run(try #require(chip.path), Self.ready + ["field", "on", "announce", Self.announcement, "select", "send", "00A4040009F0746170737469 6C65", "ping", "send", "80E2000001AA", "field", "off"].map { $0.replacingOccurrences(of: " ", with: "") })
        #expect(probe.lines == [
            "open pn532_uart:\(try #require(chip.path))", "initiator 0 0", "time-out 0", "field 0", "announce -20",
            "select 0004 20 085A7E11 78807002", "send 00A4040009F07461707374696C659000", "ping 0", "send 80E2000001AA9000", "field 0", "end"
        ])
        #expect(probe.status == 0)
        #expect(probe.complaints == "")
        #expect(log.sent(0x6A) == [AirFrame(checked: [0x6A, 0x02, 0xCB, 0x02, 0x06, 0x20, 0x42, 0x20, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77])])
        #expect(!chip.isFieldOn)
    }
}
