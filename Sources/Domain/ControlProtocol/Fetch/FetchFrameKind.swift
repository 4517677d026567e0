/// The first byte of a frame.
enum FetchFrameKind: UInt8 {
    case fetch = 1
    case head = 2
    case bytes = 3
    case end = 4
    case failed = 5
    case setUp = 6
    case cancel = 7
    case beat = 8

    /// The bodies of these have no more than this many bytes: what is longer is refused before it is held.
    var mostBodyBytes: Int {
        switch self {
        case .bytes: FetchFrame.mostBodyBytes
        case .fetch, .setUp: 8192
        case .head, .failed: 1024
        case .end, .cancel, .beat: 0
        }
    }
}
