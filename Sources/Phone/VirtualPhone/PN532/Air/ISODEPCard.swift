/// The card's side of ISO/IEC 14443-4, 7.5: blocks in, blocks out, with a whole command APDU in between.
struct ISODEPCard {
    enum Step: Equatable {
        case silence
        /// `isLast`: with it the whole answer is out.
        case send([UInt8], isLast: Bool)
        /// To be said before the card sleeps.
        case deselected([UInt8])
        /// A command is there whole; `answer` goes on.
        case command([UInt8])
    }

    /// The longest frame the reader takes, checksum included.
    private let frameLength: Int
    /// How many requests for more time come before each answer.
    private let waitingTimeRequests: Int
    private var requestsLeft = 0
    /// Rule C: 1 at activation.
    private var number: UInt8 = 1
    private var command: [UInt8] = []
    private var answer: [UInt8] = []
    private var sent: [UInt8] = []

    private static let waitingTimeMultiple: UInt8 = 1

    init(frameLength: Int, waitingTimeRequests: Int = 0) {
        self.frameLength = frameLength
        self.waitingTimeRequests = waitingTimeRequests
    }

    mutating func receive(_ payload: [UInt8]) -> Step {
        switch ISODEPBlock(payload) {
        case nil: return .silence
        case .information(let data, number: _, isChained: let isChained): return receive(data, isChained: isChained)
        // Rule 11: what was said did not arrive.
        case .acknowledge(number: number): return sent.isEmpty ? .silence : send(sent)
        // Rule E: the reader has the part before.
        case .acknowledge: return next()
        case .notAcknowledge(number: number): return sent.isEmpty ? .silence : send(sent)
        // Rule 12.
        case .notAcknowledge: return .send(ISODEPBlock.acknowledge(number: number).payload, isLast: false)
        case .deselect: return .deselected(ISODEPBlock.deselect.payload)
        case .waitingTime: return granted()
        }
    }

    /// The whole answer to the command that `receive` gave; it is kept where time is asked for first.
    mutating func answer(_ bytes: [UInt8]) -> Step {
        answer = bytes
        requestsLeft = waitingTimeRequests
        return requestsLeft > 0 ? askForTime() : next(isFirst: true)
    }

    private mutating func receive(_ data: [UInt8], isChained: Bool) -> Step {
        // Rule D: with each information block of the reader's.
        number ^= 1
        command += data
        guard !isChained else { return send(ISODEPBlock.acknowledge(number: number).payload) }
        defer { command = [] }
        return .command(command)
    }

    private mutating func granted() -> Step {
        guard requestsLeft > 0 else { return .silence }
        requestsLeft -= 1
        return requestsLeft > 0 ? askForTime() : next(isFirst: true)
    }

    private mutating func askForTime() -> Step {
        send(ISODEPBlock.waitingTime(Self.waitingTimeMultiple).payload)
    }

    private mutating func next(isFirst: Bool = false) -> Step {
        guard !answer.isEmpty || isFirst else { return .silence }
        // Rule E.
        if !isFirst { number ^= 1 }
        let part = Array(answer.prefix(frameLength - ISODEPBlock.overhead))
        answer.removeFirst(part.count)
        return send(ISODEPBlock.information(part, number: number, isChained: !answer.isEmpty).payload, isLast: answer.isEmpty)
    }

    private mutating func send(_ block: [UInt8], isLast: Bool = false) -> Step {
        sent = block
        return .send(block, isLast: isLast)
    }
}

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

/// The checksum of frames at ISO/IEC 14443 type A (ISO/IEC 14443-3, annex B): polynomial x^16 + x^12 + x^5 + 1,
/// started at 6363, sent with the low byte first.
enum CRCA {
    static let length = 2

    static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let crc = bytes.reduce(UInt16(0x6363)) { crc, byte in
            var mixed = byte ^ UInt8(crc & 0xFF)
            mixed ^= mixed << 4
            return (crc >> 8) ^ (UInt16(mixed) << 8) ^ (UInt16(mixed) << 3) ^ (UInt16(mixed) >> 4)
        }
        return [UInt8(crc & 0xFF), UInt8(crc >> 8)]
    }
}
