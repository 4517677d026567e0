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
        /// The lane does not serve the phone in the way in which it came (T2).
        case carrier
        /// The lane wanted a second factor that the key does not prove (V6).
        case secondFactor = "second-factor"
        /// A rule of the site says when this person may pass here (V4).
        case schedule
        /// By what the gate knows this person is already there (V5).
        case passback
        /// As many people as may be there are.
        case capacity
        /// A minimum delay was running (T7, T8, T9).
        case cooldown
        /// The lane was out of service, closed or already being granted.
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

    /// What the record of the outcome says besides (soft anti-passback).
    public let notes: [Reason]

    /// Whether the relay may move.
    public var isGranted: Bool {
        switch result {
        case .granted: true
        case .denied: false
        }
    }

    /// Whether this denial, of a phone that came over `carrier`, starts the lane's cooldown after a failure. A refusal by cooldown
    /// starts none, nor does one for want of a second factor or of another way to come (the person unlocks the phone, or holds it
    /// to the reader, and tries again), nor anything the phone could not help: a lane fault, an audit that cannot be kept, a card
    /// pulled away, a link that fell silent. Without a proof only a reader counts, at which somebody must stand: a radio hears
    /// strangers in the street, and one write of theirs would keep everybody waiting. Their own link is over with it.
    ///
    /// A UID-only card is refused by a failure whether its number is on the list or not, or the pause after it would tell which.
    public func countsAsFailure(over carrier: Carrier, _ assurance: Assurance = .proven) -> Bool {
        switch (result, rule, carrier) {
        case (.denied, .verification, _) where assurance == .low, (.denied, .schedule, _) where assurance == .low,
             (.denied, .passback, _) where assurance == .low, (.denied, .capacity, _) where assurance == .low,
             (.denied, .audit, _) where assurance == .low:
            true
        case (.granted, _, _), (.denied, .carrier, _), (.denied, .secondFactor, _), (.denied, .cooldown, _), (.denied, .lane, _),
             (.denied, .capacity, _), (.denied, .audit, _), (.denied, .proof, .ble):
            false
        case (.denied, .proof, .nfc), (.denied, .verification, _), (.denied, .schedule, _), (.denied, .passback, _):
            reason.isRefusalOfPhone
        }
    }

    static func granted(notes: [Reason]) -> Decision {
        Decision(result: .granted, reason: .granted, rule: .verification, retryAfter: nil, notes: notes)
    }

    static func denied(_ reason: Reason, by rule: Rule, retryAfter: Int64? = nil) -> Decision {
        Decision(result: .denied, reason: reason, rule: rule, retryAfter: retryAfter, notes: [])
    }
}
