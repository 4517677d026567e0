/// One message from the virtual reader (vpcd): 16 bits of length, most significant byte first, and a body.
/// A body of one byte is a control, everything else a command APDU.
enum ReaderMessage: Equatable {
    case powerOff
    case powerOn
    case reset
    /// The reader wants the answer to reset. It asks every 400 ms: that is how it notices a card.
    case answerToResetWanted
    case command([UInt8])

    static let lengthBytes = 2

    init(body: [UInt8]) {
        switch body {
        case [0x00]: self = .powerOff
        case [0x01]: self = .powerOn
        case [0x02]: self = .reset
        case [0x04]: self = .answerToResetWanted
        default: self = .command(body)
        }
    }

    /// What the reader sends.
    var body: [UInt8] {
        switch self {
        case .powerOff: [0x00]
        case .powerOn: [0x01]
        case .reset: [0x02]
        case .answerToResetWanted: [0x04]
        case .command(let command): command
        }
    }

    /// The length that these two bytes announce.
    static func length(_ header: [UInt8]) -> Int {
        header.reduce(0) { $0 << 8 | Int($1) }
    }

    /// A message to the reader; nil when it is longer than the length can say.
    static func framed(_ body: [UInt8]) -> [UInt8]? {
        guard body.count <= Int(UInt16.max) else { return nil }
        return [UInt8(body.count >> 8), UInt8(body.count & 0xFF)] + body
    }
}
