import Threads
import VirtualPhone
import Waits

@testable import ChipReaders

/// A virtual chip with what was on its air, and the name by which it is opened.
final class ChipBench: Sendable {
    let chip: VirtualPN532
    private let log = Monitor<[AirRecord]>([])

    static let wakeUp: [UInt8] = [0x6A, 0x02, 0xCB, 0x02, 0x06, 0x20, 0x42, 0x20, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77]

    init(link: String? = nil, timing: PN532Timing = .none) throws {
        let log = log
        chip = try VirtualPN532(link: link, timing: timing, onAir: { record in log.change { $0.append(record) } })
    }

    /// Answers every command with itself and 9000.
    static func phone(_ card: AirCard = .phone, _ misbehaviour: CardMisbehaviour? = nil) -> AirPhone {
        AirPhone(card, misbehaviour: misbehaviour, answering: { $0 + [0x90, 0x00] })
    }

    /// One that answers a reader which has named it three times.
    static var expressPhone: AirPhone {
        var card = AirCard.phone
        card.expressMode = ExpressMode(identifier: [0x20, 0x42, 0x20], frames: 3)
        return phone(card)
    }

    /// libnfc's name.
    var name: String { "pn532_uart:\(chip.path ?? "/nowhere"):115200" }

    func open(_ abort: ChipAbort = ChipAbort()) throws -> ChipDevice {
        guard let port = ChipPort(name) else { throw ChipError.notOpened(.deviceUnknown) }
        return try ChipDevice(port, abort: abort)
    }

    var records: [AirRecord] { log.withLock { $0 } }

    /// What the reader said since the field went on last, bytes of the frames.
    var sentInCycles: [[[UInt8]]] {
        records.reduce(into: []) { cycles, record in
            switch record.event {
            case .fieldOn: cycles.append([])
            case .sent(let frame): if !cycles.isEmpty { cycles[cycles.count - 1].append(frame.bytes) }
            case .fieldOff, .answered: break
            }
        }
    }

    /// Until that is true of what was on the air.
    func wait(
        for what: String, fileID: String = #fileID, line: Int = #line, _ body: ([AirRecord]) -> Bool
    ) throws(WaitedInVain) {
        try log.wait(for: what, fileID: fileID, line: line) { body($0) ? () : nil }
    }

    /// Until the reader has sent an application's command.
    func waitForCommand(fileID: String = #fileID, line: Int = #line) throws(WaitedInVain) {
        try wait(for: "a command on the air", fileID: fileID, line: line) { records in
            records.contains { if case .sent(let frame) = $0.event { frame.bytes.first == 0x02 } else { false } }
        }
    }
}
