import PhoneProtocol
import VirtualPhone

/// Bytes and commands from SELECT to message_3, with the framing of ISO-DEP (docs/phone-protocol.md).
struct AirBenchmark {
    let gate: InProcessGate
    let report: Report

    /// PCB and two bytes of CRC around every block (ISO/IEC 14443-4, 7.1).
    private static let framing = 3
    /// What a frame of 256 bytes holds besides (FSD and FSC 8: ISO/IEC 14443-4, 5.1).
    private static let information = 253

    func run() throws {
        try record("by-value", gate.byValue[0], bytes: 580, commands: 3)
        // The tap before has shown the same token.
        try record("by-reference", gate.byReference[0], bytes: 330, commands: 2)
        try record("enrolled-by-kid", gate.enrolled[0], bytes: 330, commands: 2)
    }

    private func record(_ name: String, _ card: PhoneCard, bytes: Double, commands: Double) throws {
        _ = try gate.tap(card)
        let steps = card.steps.prefix { $0.command[1] != PhoneProtocolProfile.outcomeInstruction }
        let onAir = steps.flatMap { [$0.command.count, $0.response.count] }.map(Self.onAir).reduce(0, +)
        report.add("air-bytes-\(name)", Double(onAir), "bytes", bar: bytes)
        report.add("air-commands-\(name)", Double(steps.count), "commands", bar: commands)
    }

    /// One APDU in I-blocks; every block but the last is acknowledged by an R-block.
    private static func onAir(_ count: Int) -> Int {
        let blocks = (count + information - 1) / information
        return count + blocks * framing + (blocks - 1) * framing
    }
}
