import Credentials

/// The minimum delays of one lane (T7, T8 and the paragraph below them).
///
/// - After a success the lane rests for every carrier, counted from the relay.
/// - After a failure only the carrier that failed rests, so that a stranger with a radio cannot
///   hold up the reader; further failures during the rest do not extend it.
/// - A refusal by cooldown is no failure: it starts and extends nothing.
public struct Cooldowns: Equatable, Sendable {
    private let afterSuccess: Int64
    private let afterFailure: Int64
    private var successEnds: Instant?
    private var failureEnds: [Carrier: Instant] = [:]

    /// - Parameters:
    ///   - afterSuccess: Milliseconds from the relay to the next run; 0 switches the delay off.
    ///   - afterFailure: Milliseconds from a failure to the next run on that carrier; 0 switches it off.
    public init(afterSuccess: Int64, afterFailure: Int64) {
        self.afterSuccess = max(0, afterSuccess)
        self.afterFailure = max(0, afterFailure)
    }

    /// The cooldown that stands in the way of a run over `carrier` at `now`, if any. That after a
    /// success is named first: it is the one that concerns everybody.
    public func standing(for carrier: Carrier, at now: Instant) -> Cooldown? {
        if let ends = successEnds, now < ends {
            return Cooldown(kind: .success, ends: ends)
        }
        if let ends = failureEnds[carrier], now < ends {
            return Cooldown(kind: .failure, ends: ends)
        }
        return nil
    }

    /// A run succeeded and the relay moved at `relay`. It also ends whatever failures had started.
    public mutating func recordSuccess(relay: Instant) {
        successEnds = afterSuccess > 0 ? relay + afterSuccess : nil
        failureEnds = [:]
    }

    /// A run over `carrier` failed at `now`.
    public mutating func recordFailure(over carrier: Carrier, at now: Instant) {
        guard afterFailure > 0, standing(for: carrier, at: now) == nil else { return }
        failureEnds[carrier] = now + afterFailure
    }

    /// The person has passed: the sensor confirmed it, so that the next one need not wait (T7).
    public mutating func recordPassage() {
        successEnds = nil
    }

    /// The success did not come about after all (the relay could not be driven): nobody waits for it.
    public mutating func withdrawSuccess() {
        successEnds = nil
    }

    /// The same running delays under other durations, which hold from the next run on.
    func adopting(afterSuccess: Int64, afterFailure: Int64) -> Cooldowns {
        var cooldowns = Cooldowns(afterSuccess: afterSuccess, afterFailure: afterFailure)
        cooldowns.successEnds = successEnds
        cooldowns.failureEnds = failureEnds
        return cooldowns
    }
}
