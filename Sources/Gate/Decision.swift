import Credentials

/// What the gate decided about one presentation: granted or denied, why, and by which rule.
public struct Decision: Equatable, Sendable {
    /// Granted or denied.
    public enum Result: Equatable, Sendable {
        case granted
        case denied
    }

    /// The rule that decided.
    public enum Rule: String, Sendable {
        /// The conversation ended before the phone had proved itself.
        case proof
        /// The credential was verified (V2).
        case verification
        /// The lane wanted a second factor that the key does not prove (V6).
        case secondFactor = "second-factor"
        /// A minimum delay was running (T7, T8).
        case cooldown
        /// The lane was out of service or already being granted.
        case lane
        /// The audit could not be made durable.
        case audit
    }

    /// Granted or denied.
    public let result: Result
    /// Why, from the one catalogue of reasons.
    public let reason: Reason
    /// The rule that decided.
    public let rule: Rule
    /// Milliseconds after which the same phone may be granted; only told to a phone that has proved itself.
    public let retryAfter: Int64?

    /// Whether the relay may move.
    public var isGranted: Bool {
        switch result {
        case .granted: true
        case .denied: false
        }
    }

    /// Whether this denial starts the cooldown after a failure. A refusal by cooldown is none, nor
    /// is one for want of a second factor (the person unlocks the phone and taps again), nor anything the phone could not help: a lane fault, an audit that cannot be kept, a card
    /// pulled away, a link that fell silent.
    public var countsAsFailure: Bool {
        switch (result, rule) {
        case (.granted, _), (.denied, .secondFactor), (.denied, .cooldown), (.denied, .lane), (.denied, .audit): false
        case (.denied, .verification), (.denied, .proof): reason.isRefusalOfPhone
        }
    }

    static func granted() -> Decision {
        Decision(result: .granted, reason: .granted, rule: .verification, retryAfter: nil)
    }

    static func denied(_ reason: Reason, by rule: Rule, retryAfter: Int64? = nil) -> Decision {
        Decision(result: .denied, reason: reason, rule: rule, retryAfter: retryAfter)
    }
}
