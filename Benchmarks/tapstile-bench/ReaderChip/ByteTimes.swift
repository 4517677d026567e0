import VirtualPhone

/// How long bytes take at least between a gate's host and a phone: over the wire and over the air. Reckoned here anew from what was said,
/// apart from the virtual chip, which makes them take that long.
enum ByteTimes {
    /// Ten bits each at 115,200 baud.
    private static let wireByte: Double = 10e9 / 115_200
    /// 128 periods of 13.56 MHz (ISO/IEC 14443-2, 8.2.1).
    private static let bit: Double = 128e3 / 13.56
    /// Between a frame and its answer: 1172 of those periods (ISO/IEC 14443-3, 6.2.1).
    private static let pause: Double = 1172e3 / 13.56

    /// What a command of the host holds beside the APDU: D4, the command, the target.
    private static let aroundCommand = 3
    /// D5, the command, the status.
    private static let aroundAnswer = 3

    /// A command APDU and its answer on the wire, in nanoseconds. The acknowledgement of the chip goes while the phone is spoken to.
    static func wire(_ command: [UInt8], _ answer: [UInt8]) -> Double {
        frame(command.count + aroundCommand) + frame(answer.count + aroundAnswer)
    }

    /// What is on the air, in nanoseconds.
    static func air(_ records: some Sequence<AirRecord>) -> Double {
        records.reduce(0) { sum, record in
            switch record.event {
            case .fieldOn, .fieldOff: sum
            case .sent(let frame): sum + time(of: frame)
            case .answered(let frame): sum + pause + time(of: frame)
            }
        }
    }

    /// One bit starts it; each whole byte has a parity bit (ISO/IEC 14443-3, 6.2.3).
    static func time(of frame: AirFrame) -> Double {
        let bits = frame.lastBits == 0 ? frame.bytes.count * 9 : (frame.bytes.count - 1) * 9 + frame.lastBits
        return Double(1 + bits) * bit
    }

    /// Preamble, start, length and its checksum, checksum, postamble (UM0701-02, 6.2.1.1); three bytes more from 256 on.
    static func frame(_ information: Int) -> Double {
        Double(information + (information > 255 ? 10 : 7)) * wireByte
    }
}
