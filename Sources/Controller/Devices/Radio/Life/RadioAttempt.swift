/// How one request to bluetoothd stands. Times are monotonic milliseconds.
enum RadioAttempt: Hashable, Sendable {
    /// It is made at that time.
    case due(at: Int64)
    /// It was made, and has that number; it counts as failed when it is not answered by then.
    case asked(RadioStep, number: UInt64, until: Int64)
    /// It was refused, and is made again at that time.
    case refused(until: Int64)

    /// When something is to be done about it.
    var end: Int64 {
        switch self {
        case .due(let time), .asked(_, _, let time), .refused(let time): time
        }
    }
}
