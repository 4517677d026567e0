/// The second byte of a frame. What the gate says has its first bit clear.
enum ReaderFrameKind: UInt8 {
    case setUp = 0x01
    case command = 0x02
    case end = 0x03
    case abort = 0x04
    case reopen = 0x05
    case state = 0x81
    case card = 0x82
    case answer = 0x83
    case failed = 0x84
    case empty = 0x85
    case beat = 0x86

    var isOrder: Bool {
        switch self {
        case .setUp, .command, .end, .abort, .reopen: true
        case .state, .card, .answer, .failed, .empty, .beat: false
        }
    }
}
