/// What we have called and are to be answered, by the number of the call. Times are monotonic milliseconds.
struct PendingCalls {
    private struct Pending {
        let what: PendingCall
        let since: Int64
    }

    /// Whoever has not answered by then never will. The end of a link may take its supervision timeout of 32 s at most (Core
    /// Specification 5.3, vol. 4, part E, 7.8.12).
    static let longestMilliseconds: Int64 = 60_000

    private var calls: [UInt64: Pending] = [:]

    mutating func add(_ number: UInt64, _ what: PendingCall, now: Int64) {
        calls[number] = Pending(what: what, since: now)
    }

    /// The call that an answer is for.
    mutating func remove(_ number: UInt64?) -> PendingCall? { number.flatMap { calls.removeValue(forKey: $0)?.what } }

    /// True while bluetoothd owes an answer to another call than that.
    func owes(besides number: UInt64?) -> Bool { calls.contains { $0.key != number && $0.value.what.isForService } }

    /// Forgets what nobody will answer any more.
    /// - Returns: that.
    mutating func expire(at now: Int64) -> [PendingCall] {
        let old = calls.filter { now - $0.value.since >= Self.longestMilliseconds }
        for number in old.keys { calls[number] = nil }
        return old.values.map(\.what)
    }
}

/// What we have called, and are to be answered.
enum PendingCall: Hashable, Sendable {
    /// Something that only matters when it fails, and then to everything.
    case listen
    /// Who has the name of bluetoothd.
    case owner
    /// The objects of the bluetoothd with that unique name.
    case objects(owner: String)
    /// How bluetoothd is started.
    case command
    /// A step of a radio, by the radio's place among the bindings.
    case step(radio: Int, RadioRequest)
    /// The end of a link.
    case drop(RadioLink)
    /// A sign of life of bluetoothd.
    case life

    /// True for what bluetoothd is to answer.
    var isForService: Bool {
        switch self {
        case .objects, .step, .drop, .life: true
        case .listen, .owner, .command: false
        }
    }
}
