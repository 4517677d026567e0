import Gate

/// A lane's machine, and what it has to tell that was not told yet.
struct LaneCore {
    var lane: Lane
    var outbox: [LaneAction] = []

    mutating func drainOutbox() -> [LaneAction] {
        guard !outbox.isEmpty else { return [] }
        defer { outbox = [] }
        return outbox
    }
}

extension LaneAction {
    /// Whether somebody is to be told. Relays and indicators are no reports: they are brought in line with what the machine wants,
    /// again and again until that works.
    var isReport: Bool {
        switch self {
        case .record, .passed, .notPassed: true
        case .setRelay, .show: false
        }
    }
}
