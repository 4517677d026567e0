@testable import VirtualPhone

/// A host at the chip, without a port between them.
struct ChipHost {
    var chip: PN532Chip
    var time: Int64 = 0

    static let wakeUp: [UInt8] = [0x55, 0x55] + [UInt8](repeating: 0, count: 14)

    init(_ chip: PN532Chip = PN532Chip()) { self.chip = chip }

    /// One that is awake, with its antenna in service.
    static func ready(_ chip: PN532Chip = PN532Chip()) -> ChipHost {
        var host = ChipHost(chip)
        _ = host.send(wakeUp)
        _ = host.ask([0x14, 0x01])
        return host
    }

    /// Bytes as they are; what comes at once.
    mutating func send(_ bytes: [UInt8]) -> [UInt8] {
        chip.receive(bytes, at: time)
        var said: [UInt8] = []
        while let next = chip.nextTime, next <= time { said += chip.advance(to: time).flatMap(\.self) }
        return said
    }

    /// A command with its parameters; the answer's bytes from its code on, whenever it comes. nil without ACK or answer,
    /// and for a search that finds nobody.
    mutating func ask(_ command: [UInt8]) -> [UInt8]? {
        chip.receive(PN532Frame.information([0xD4] + command).encoded, at: time)
        var said: [UInt8] = []
        for _ in 0..<Self.mostSteps {
            guard let next = chip.nextTime else { return nil }
            time = max(time, next)
            said += chip.advance(to: time).flatMap(\.self)
            if let answer = Self.answer(said) { return answer }
        }
        return nil
    }

    private static let mostSteps = 100

    /// What follows ACK and D5 in exactly two frames.
    private static func answer(_ said: [UInt8]) -> [UInt8]? {
        var reader = PN532FrameReader()
        let frames = said.compactMap { reader.read($0) }
        guard frames.count == 2, frames[0] == .acknowledge, case .information(let answer) = frames[1], answer.first == 0xD5 else { return nil }
        return Array(answer.dropFirst())
    }
}
