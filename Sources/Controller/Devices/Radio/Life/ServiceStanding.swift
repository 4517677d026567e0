/// How far we are with bluetoothd. Times are monotonic milliseconds.
enum ServiceStanding: Hashable, Sendable {
    /// There is no bus, and why.
    case noBus(reason: String)
    /// There is a bus, which has not said yet who is on it.
    case joining
    /// Nobody has its name.
    case down
    /// It was asked then for its adapters; `refusal` is what came of that the last time, which holds until there is an answer.
    case asked(since: Int64, refusal: BusFailure?)
    /// It, or the bus, did not let us ask; it is asked again then.
    case refused(BusFailure, until: Int64)
    /// It has told them.
    case up
    /// It has told them, and answers nothing any more since then.
    case silent(since: Int64)

    /// When it is worth another look without anybody's doing; nil for never.
    func nextLook(after now: Int64) -> Int64? {
        switch self {
        case .noBus, .joining, .down, .up, .silent: return nil
        case .refused(_, let time): return time
        case .asked(let since, _):
            let time = since + AdapterVerdict.silentAfterMilliseconds
            return now < time ? time : nil
        }
    }
}
