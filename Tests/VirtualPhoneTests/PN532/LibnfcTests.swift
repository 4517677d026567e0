import Foundation
import Testing
import Threads

@testable import VirtualPhone

/// The virtual chip judged by those who know the real one: unmodified libnfc at the other end of the port.
@Suite struct LibnfcTests {
    private static let announcement = "6A02CB0206204220" + "0011223344556677"
    private static let selection = "00A4040009F07461707374696C65"
    /// TxMode and RxMode with checksums, BitFraming with whole bytes.
    private static let wholeFrames = ["raw", "0863028063038063" + "3D00"]
    /// One try for each search.
    private static let oneTry = ["raw", "3205000100"]
    private static let ready = ["initiator", "time-out", "1700"]

    private static func echoing(_ card: AirCard = .phone, _ misbehaviour: CardMisbehaviour? = nil) -> AirPhone {
        AirPhone(card, misbehaviour: misbehaviour, answering: { $0 + [0x90, 0x00] })
    }

    @Test func aPhoneIsFoundSpokenToAndLeft() throws {
        let log = AirLog()
        let chip = try VirtualPN532(onAir: log.add, onCard: log.add)
        chip.present(Self.echoing())
        let path = try #require(chip.path)
        let probe = try NFCProbe.run(
            path,
            Self.ready + ["field", "on", "announce", Self.announcement, "select", "send", Self.selection, "ping", "send", "80E2000001AA",
                          "field", "off"])
        #expect(probe.lines == [
            "open pn532_uart:\(path)", "initiator 0 0", "time-out 0", "field 0", "announce -20",
            "select 0004 20 085A7E11 78807002", "send \(Self.selection)9000", "ping 0", "send 80E2000001AA9000", "field 0", "end"
        ])
        #expect(probe.status == 0)
        #expect(probe.complaints == "")
        #expect(log.sent(0x6A) == [AirFrame(checked: [0x6A, 0x02, 0xCB, 0x02, 0x06, 0x20, 0x42, 0x20, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77])])
        #expect(!chip.isFieldOn)
    }

    /// Blocks of 61 bytes on the air, frames of up to 262 bytes to the host, and what does not fit into one is fetched: up to 264 bytes
    /// with their status come back whole. That is all that libnfc has room for.
    @Test(arguments: [0, 1, 61, 62, 250, 251, 252, 253, 254, 255, 256, 257, 258, 259, 260, 261])
    func answersOfThatLengthComeBackWhole(count: Int) throws {
        let answer = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } + [0x90, 0x00]
        let chip = try VirtualPN532()
        chip.present(AirPhone(answering: { _ in answer }))
        let probe = try NFCProbe.run(try #require(chip.path), Self.ready + ["select", "send", "00B00000"])
        #expect(probe.output("send") == [hexadecimal(answer)])
    }

    @Test(arguments: [4, 58, 59, 253, 254, 255, 261, 262])
    func commandsOfThatLengthGoThereWhole(count: Int) throws {
        let command = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let log = AirLog()
        let chip = try VirtualPN532(onCard: log.add)
        chip.present(AirPhone(answering: { _ in [0x90, 0x00] }))
        let probe = try NFCProbe.run(try #require(chip.path), Self.ready + ["select", "send", hexadecimal(command)])
        #expect(probe.output("send") == ["9000"])
        #expect(log.events.contains(.command(command)))
    }

    @Test func aUIDOnlyCardHasANumberAndNothingElse() throws {
        for identifier: [UInt8] in [[0x12, 0x34, 0x56, 0x78], [0x04, 1, 2, 3, 4, 5, 6], [0x04, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            let chip = try VirtualPN532()
            chip.present(Self.echoing(.plain(identifier)))
            let probe = try NFCProbe.run(try #require(chip.path), Self.ready + ["select", "send", "00A40400"])
            #expect(probe.output("select").first?.split(separator: " ").dropFirst(1) == ["08", Substring(hexadecimal(identifier))])
            #expect(probe.output("send") == ["-20"])
        }
    }

    private static func cycles(_ count: Int, _ before: [String] = []) -> [String] {
        (0..<count).flatMap { _ in ["field", "on"] + before + ["announce", announcement, "select", "field", "off"] }
    }

    private static func express() throws -> VirtualPN532 {
        var card = AirCard.phone
        card.expressMode = ExpressMode(identifier: [0x20, 0x42, 0x20], frames: 3)
        let chip = try VirtualPN532()
        chip.present(echoing(card))
        return chip
    }

    @Test func aPhoneInExpressModeIsFoundOnceItIsNamed() throws {
        let chip = try Self.express()
        let probe = try NFCProbe.run(try #require(chip.path), Self.ready + Self.oneTry + Self.cycles(4, Self.wholeFrames))
        #expect(probe.output("select") == ["0", "0", "0004 20 085A7E11 78807002", "0004 20 085A7E11 78807002"])
    }

    /// libnfc believes that the registers are as it left them. After a search in vain they are not, and what should name the phone
    /// goes out without a checksum and with seven bits at its end. A search of three tries is no way to a phone either.
    @Test func libnfcAloneDoesNotWakeIt() throws {
        for steps in [Self.oneTry + Self.cycles(6), Self.cycles(6, Self.wholeFrames), Self.oneTry + (0..<6).flatMap { _ in ["select"] }] {
            let chip = try Self.express()
            let probe = try NFCProbe.run(try #require(chip.path), Self.ready + steps)
            #expect(probe.output("select") == ["0", "0", "0", "0", "0", "0"])
        }
    }

    @Test func aPhoneThatGoesIsMissed() throws {
        let chip = try VirtualPN532()
        chip.present(Self.echoing(.phone, .leavesAfter(command: 1)))
        let steps = ["select", "send", "00A40400", "send", "80E20000", "ping", "field", "off", "select"]
        let probe = try NFCProbe.run(try #require(chip.path), Self.ready + steps)
        #expect(probe.output("send") == ["00A404009000", "-20"])
        #expect(probe.output("ping") == ["-10"])
        #expect(probe.output("select").last == "0")
    }

    @Test func bitRatesAreAgreedOnWherePhonesOfferThem() throws {
        var card = AirCard.phone
        card.answerToSelect = [0x05, 0x78, 0xB3, 0x70, 0x02]
        for (card, rate, end) in [(card, "01", "1"), (card, "02", "1"), (.phone, "01", "-20")] as [(AirCard, String, String)] {
            let chip = try VirtualPN532()
            chip.present(Self.echoing(card))
            let steps = ["select", "raw", "4E01\(rate)\(rate)", "field", "off", "select", "send", "00A40400"]
            let probe = try NFCProbe.run(try #require(chip.path), Self.ready + steps)
            #expect(probe.output("raw") == [end])
            #expect(probe.output("send") == ["00A404009000"])
        }
    }

    /// The other programs of libnfc believe it too.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/nfc-list")))
    func nfcListDescribesThePhone() throws {
        let chip = try VirtualPN532()
        chip.present(Self.echoing())
        let device = ["LIBNFC_DEVICE": "pn532_uart:\(try #require(chip.path))", "LIBNFC_LOG_LEVEL": "0"]
        let list = try NFCProbe.run(URL(fileURLWithPath: "/usr/bin/nfc-list"), ["-v"], environment: device)
        let text = list.lines.joined(separator: "\n")
        #expect(text.contains("1 ISO14443A passive target(s) found:"))
        #expect(text.contains("UID (NFCID3): 08  5a  7e  11"))
        #expect(text.contains("Compliant with ISO/IEC 14443-4"))
        #expect(text.contains("ATS: 78  80  70  02"))
        #expect(text.contains("Max Frame Size accepted by PICC: 256 bytes"))
        for other in ["Felica (212 kbps)", "Felica (424 kbps)", "ISO14443B", "ISO14443B'", "ISO14443A-3 Jewel"] {
            #expect(text.contains("0 \(other) passive target(s) found."), "\(text)")
        }
        #expect(list.status == 0)
    }

    /// With true byte times the same conversation goes the same way.
    @Test func bytesMayTakeTheirTime() throws {
        let chip = try VirtualPN532(timing: .bytes())
        chip.present(Self.echoing())
        let steps = ["field", "on", "announce", Self.announcement, "select", "send", Self.selection]
        let probe = try NFCProbe.run(try #require(chip.path), Self.ready + steps)
        #expect(probe.output("announce") == ["-20"])
        #expect(probe.output("send") == [Self.selection + "9000"])
    }

    /// Whoever is killed in the middle leaves a chip that works, once it was called off and woken anew.
    @Test func aProgramThatIsKilledLeavesThePortUsable() throws {
        for _ in 0..<5 {
            let log = AirLog()
            let chip = try VirtualPN532(onCard: log.add)
            chip.present(Self.echoing(.phone, .late(atCommand: 1, milliseconds: 1_600)))
            let running = try RunningProbe(try #require(chip.path), Self.ready + ["select", "send", "00A40400"])
            try log.waitForCommand()
            try running.kill()
            let probe = try NFCProbe.run(try #require(chip.path), Self.ready + ["field", "off", "select", "send", "80E20000"])
            #expect(probe.output("send") == ["80E200009000"])
        }
    }
}
