/// Why a lane does not do what an operator asks.
public enum LaneRefusal: Error, Hashable, Sendable {
    /// It is locked down: first `normal`.
    case lockedDown
    /// It has a fault.
    case fault
    /// Another grant is under way.
    case busy
    /// The lane is open another way: under fire, held open, free passage.
    case open

    /// The stable code.
    public var code: String {
        switch self {
        case .lockedDown: "lane-locked-down"
        case .fault: "lane-out-of-service"
        case .busy: "lane-busy"
        case .open: "lane-open"
        }
    }

    /// A sentence for people that names the remedy.
    public var message: String {
        switch self {
        case .lockedDown: "The lane is locked down: end that first (`normal`)."
        case .fault: "The lane is out of service; `status` says why."
        case .busy: "The lane is letting somebody through at this moment: ask again."
        case .open: "The lane is open already, and stays as it is."
        }
    }
}
