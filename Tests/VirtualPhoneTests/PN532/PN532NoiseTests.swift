import SeededNumbers
import Testing

@testable import VirtualPhone

/// Whatever a host or a reader says, chip and phone go on.
@Suite struct PN532NoiseTests {
    private static let codes = PN532Command.allCases.filter { $0 != .powerDown }.map(\.rawValue)

    @Test(arguments: 1...20)
    func commandsOfAnyForm(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var host = ChipHost.ready()
        for _ in 0..<50 {
            host.chip.air.present(AirPhone(seed % 2 == 0 ? .phone : .plain([1, 2, 3, 4]), answering: { $0 }))
            for _ in 0..<10 {
                let code = Self.codes.randomElement(using: &numbers) ?? 0
                let parameters = Bool.random(using: &numbers) ? numbers.bytes(0...4) : [1, 0] + numbers.bytes(0...260)
                _ = host.ask([code] + parameters)
                _ = host.send(numbers.bytes(0...8))
            }
            // A command calls off what was begun, whatever the bytes before it were the beginning of.
            _ = host.send([UInt8](repeating: 0, count: 300))
            #expect(host.ask([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
        }
    }

    @Test(arguments: 1...20)
    func framesOfAnyForm(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for identifier: [UInt8] in [[8, 1, 2, 3], [4, 1, 2, 3, 4, 5, 6], [4, 1, 2, 3, 4, 5, 6, 7, 8, 9]] {
            var card = AirCard.phone
            card.identifier = identifier
            card.waitingTimeRequests = Int(seed % 3)
            var chip = PN532Chip()
            chip.air.present(AirPhone(card, answering: { $0 + $0 }))
            for _ in 0..<50 {
                _ = chip.activate([])
                for _ in 0..<5 {
                    let payload = [[0x02, 0x03, 0x12, 0x13, 0xA2, 0xB2, 0xC2, 0xF2, 0xD0].randomElement(using: &numbers) ?? 0] + numbers.bytes(0...70)
                    let isChecked = Bool.random(using: &numbers)
                    let frame = isChecked ? AirFrame(checked: payload) : AirFrame(payload, lastBits: Int.random(in: 0...7, using: &numbers))
                    _ = chip.air.exchange(frame, patience: 0)
                }
                chip.air.setField(false)
            }
            // It is still a phone.
            #expect(chip.activate([])?.prefix(5) == [1, 0x00, 0x04, 0x20, UInt8(identifier.count)])
        }
    }
}

private extension SeededNumbers {
    mutating func bytes(_ range: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: range, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
