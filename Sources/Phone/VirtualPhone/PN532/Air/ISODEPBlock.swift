/// A block of ISO/IEC 14443-4 (7.1) without node address and card identifier, which the PN532 does not use here.
enum ISODEPBlock: Equatable {
    case information([UInt8], number: UInt8, isChained: Bool)
    case acknowledge(number: UInt8)
    case notAcknowledge(number: UInt8)
    case deselect
    /// A request for more time, or its grant: multiples of the frame waiting time.
    case waitingTime(UInt8)

    /// Block header and checksum.
    static let overhead = 1 + CRCA.length

    init?(_ payload: [UInt8]) {
        guard let header = payload.first else { return nil }
        let number = header & 0x01
        switch (header & 0xE6, header & 0x18) {
        case (0x02, _) where header & 0x0C == 0:
            self = .information(Array(payload.dropFirst()), number: number, isChained: header & 0x10 != 0)
        case (0xA2, 0x00): self = .acknowledge(number: number)
        case (0xA2, 0x10): self = .notAcknowledge(number: number)
        case (0xC2, 0x00) where header == 0xC2: self = .deselect
        case (0xE2, 0x10) where header == 0xF2 && payload.count == 2: self = .waitingTime(payload[1] & 0x3F)
        default: return nil
        }
    }

    var payload: [UInt8] {
        switch self {
        case .information(let data, let number, let isChained): [0x02 | number | (isChained ? 0x10 : 0)] + data
        case .acknowledge(let number): [0xA2 | number]
        case .notAcknowledge(let number): [0xB2 | number]
        case .deselect: [0xC2]
        case .waitingTime(let multiple): [0xF2, multiple]
        }
    }

    /// What FSDI and FSCI mean, in bytes of a whole frame (ISO/IEC 14443-4, table 1).
    static func frameLength(index: UInt8) -> Int {
        [16, 24, 32, 40, 48, 64, 96, 128, 256][min(Int(index), 8)]
    }
}
