import Credentials

/// The minimum delays of one lane (T7 to T9 and the paragraph below them).
///
/// - After a success the lane has a cooldown for every carrier, counted from the relay.
/// - After a failure only the carrier that failed has a cooldown, so that a stranger with a radio cannot
///   hold up the reader; further failures during the rest do not extend it.
/// - After a success that phone has a cooldown over BLE as long as the lane would, also where the passage sensor ends the rest of
///   the lane: it is heard still when its owner has passed. After a success over BLE by a phone in background it rests
///   longer. Whoever holds a phone to the reader means it: NFC is never delayed by this.
/// - A refusal by cooldown is no failure: it starts and extends nothing.
public struct Cooldowns: Equatable, Sendable {
    private let afterSuccess: Int64
    private let afterFailure: Int64
    private let inBackground: Int64
    /// The latest relay that counts, and when the rest after it ends.
    private var success: (relay: Instant, ends: Instant)?
    private var failureEnds: [Carrier: Instant] = [:]
    private var phones = PhoneCooldowns()

    /// - Parameters:
    ///   - afterSuccess: Milliseconds from the relay to the next run; 0 switches the delay off.
    ///   - afterFailure: Milliseconds from a failure to the next run on that carrier; 0 switches it off.
    ///   - inBackground: Milliseconds from the relay to the next run of the same phone over BLE; 0 switches it off.
    public init(afterSuccess: Int64, afterFailure: Int64, inBackground: Int64 = 0) {
        self.afterSuccess = max(0, afterSuccess)
        self.afterFailure = max(0, afterFailure)
        self.inBackground = max(0, inBackground)
    }

    public static func == (left: Cooldowns, right: Cooldowns) -> Bool {
        left.afterSuccess == right.afterSuccess && left.afterFailure == right.afterFailure && left.inBackground == right.inBackground
            && left.success?.relay == right.success?.relay && left.success?.ends == right.success?.ends
            && left.failureEnds == right.failureEnds && left.phones == right.phones
    }

    /// The cooldown that stands in the way of a run over `carrier` at `now`, if any. That after a
    /// success is named first: it is the one that concerns everybody.
    /// - Parameter credential: of the phone that wants to run, where it is known.
    public func standing(for carrier: Carrier, credential: [UInt8]? = nil, at now: Instant) -> Cooldown? {
        if let ends = success?.ends, now < ends {
            return Cooldown(kind: .success, ends: ends)
        }
        if let cooldown = standingForPhone(over: carrier, credential, at: now) { return cooldown }
        return standingAfterFailure(over: carrier, at: now)
    }

    /// The rest of the carrier after a failure.
    func standingAfterFailure(over carrier: Carrier, at now: Instant) -> Cooldown? {
        failureEnds[carrier].flatMap { now < $0 ? Cooldown(kind: .failure, ends: $0) : nil }
    }

    /// The rest of that phone itself, if it wants to run over BLE (T7, T9).
    func standingForPhone(over carrier: Carrier, _ credential: [UInt8]?, at now: Instant) -> Cooldown? {
        guard carrier == .ble, let credential, let ends = phones.standing(for: credential, at: now) else { return nil }
        return Cooldown(kind: .phone, ends: ends)
    }

    /// A run succeeded and the relay moved at `relay`. It also ends whatever failures had started.
    public mutating func recordSuccess(relay: Instant) {
        success = afterSuccess > 0 ? (relay, relay + afterSuccess) : nil
        failureEnds = [:]
        phones.keepLatest()
    }

    /// The run that succeeded at `now` was that of this phone, which rests over BLE from now on (T7, T9).
    public mutating func recordCooldown(of phone: PhoneCooldown, at now: Instant) {
        let length = phone.isInBackground ? max(afterSuccess, inBackground) : afterSuccess
        guard length > 0 else { return }
        phones.begin(phone.credential, until: now + length, at: now)
    }

    /// A run over `carrier` failed at `now`.
    public mutating func recordFailure(over carrier: Carrier, at now: Instant) {
        guard afterFailure > 0, standing(for: carrier, at: now) == nil else { return }
        failureEnds[carrier] = now + afterFailure
    }

    /// The person for whom the relay moved at `relay` has passed: the sensor confirmed it, so that the next one need not
    /// wait (T7). Somebody who was let through since then is another matter.
    public mutating func recordPassage(relay: Instant) {
        if success?.relay == relay { success = nil }
    }

    /// The success whose relay was to move at `relay` did not come about after all (it could not be driven): nobody
    /// waits for it. That of somebody else stands.
    public mutating func withdrawSuccess(relay: Instant) {
        if success?.relay == relay { success = nil }
        phones.withdraw(begun: relay)
    }

    /// The same running delays under other durations, which hold from the next run on.
    func adopting(afterSuccess: Int64, afterFailure: Int64, inBackground: Int64) -> Cooldowns {
        var cooldowns = Cooldowns(afterSuccess: afterSuccess, afterFailure: afterFailure, inBackground: inBackground)
        cooldowns.success = success
        cooldowns.failureEnds = failureEnds
        cooldowns.phones = phones
        return cooldowns
    }
}

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

    /// The success with which a cooldown began did not come about. Only the latest cooldown is undone.
    mutating func withdraw(begun: Instant) {
        guard let latest, latest.began == begun else { return }
        ends[latest.credential] = latest.before
        keepLatest()
    }
}

/// A phone that was let through and is not served over BLE for a while after it (T7, T9).
public struct PhoneCooldown: Hashable, Sendable {
    /// What it proved itself with.
    public let credential: [UInt8]
    /// Whether it came over BLE, and its app was in background: then its cooldown is that of T9.
    public let isInBackground: Bool

    /// The phone of that credential.
    public init(_ credential: [UInt8], isInBackground: Bool) {
        self.credential = credential
        self.isInBackground = isInBackground
    }
}
