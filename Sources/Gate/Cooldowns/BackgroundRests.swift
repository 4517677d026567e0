/// The phones that have just been let through over BLE while they were in background, each with a rest of its own (T9).
///
/// A phone in a pocket stays near the gate after its owner has passed; without this rest it would open again and again.
/// Bounded: when there are more, the rest that would end first ends early.
struct BackgroundRests: Equatable, Sendable {
    /// The most phones that rest at one lane at a time.
    static let capacity = 256

    private var ends: [[UInt8]: Instant] = [:]
    private var latest: [UInt8]?

    /// How many phones rest, or have rested.
    var count: Int { ends.count }

    /// Until when the phone of `credential` rests, if it does at `now`.
    func standing(for credential: [UInt8], at now: Instant) -> Instant? {
        ends[credential].flatMap { now < $0 ? $0 : nil }
    }

    /// The phone of `credential` rests until `end`.
    mutating func begin(_ credential: [UInt8], until end: Instant, at now: Instant) {
        if ends.count >= Self.capacity { ends = ends.filter { now < $0.value } }
        if ends.count >= Self.capacity, ends[credential] == nil, let first = ends.min(by: { $0.value < $1.value }) {
            ends[first.key] = nil
        }
        ends[credential] = end
        latest = credential
    }

    /// What was begun so far is not to be withdrawn any more.
    mutating func keepLatest() {
        latest = nil
    }

    /// The latest success did not come about.
    mutating func withdrawLatest() {
        if let credential = latest.take() { ends[credential] = nil }
    }
}
