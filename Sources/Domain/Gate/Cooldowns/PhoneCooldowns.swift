/// The phones that have just been let through, each with a cooldown of its own over BLE (T7, T9).
///
/// A phone in a pocket stays near the gate after its owner has passed; without this rest it would open again and again.
/// Bounded: when there are more, the rest that would end first ends early.
struct PhoneCooldowns: Equatable, Sendable {
    /// The most phones that rest at one lane at a time.
    static let capacity = 256

    private var ends: [[UInt8]: Instant] = [:]
    private var latest: Latest?

    /// The rest that was begun last, and what it took the place of.
    private struct Latest: Equatable, Sendable {
        let credential: [UInt8]
        let began: Instant
        let before: Instant?
    }

    /// Until when the phone of `credential` rests, if it does at `now`.
    func standing(for credential: [UInt8], at now: Instant) -> Instant? {
        ends[credential].flatMap { now < $0 ? $0 : nil }
    }

    /// The phone of `credential` rests until `end`, or longer where it already does.
    mutating func begin(_ credential: [UInt8], until end: Instant, at now: Instant) {
        ends = ends.filter { now < $0.value }
        if ends.count >= Self.capacity, ends[credential] == nil, let first = ends.min(by: { $0.value < $1.value }) {
            ends[first.key] = nil
        }
        latest = Latest(credential: credential, began: now, before: ends[credential])
        ends[credential] = max(end, ends[credential] ?? end)
    }

    /// What was begun so far is not to be withdrawn any more.
    mutating func keepLatest() {
        latest = nil
    }

    /// The success with which a rest began did not come about. Only the latest rest is taken back.
    mutating func withdraw(begun: Instant) {
        guard let latest, latest.began == begun else { return }
        ends[latest.credential] = latest.before
        keepLatest()
    }
}
