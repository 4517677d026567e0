import Credentials

/// What became of a key that was to be enrolled.
public struct Enrolment: Sendable {
    /// The record for the gates.
    public let key: EnrolledKey
    /// Whether the key was enrolled before; what was known of it is replaced.
    public let isReplacement: Bool
    /// What its holder gains; of a new key: all of it.
    public let gains: RightsChange?
    /// What its holder, or the one who had it before, loses.
    public let losses: RightsChange?
    /// Whether the phone may name its key by `kid` alone: gates then take `key.credential` as its claims
    /// set. A phone whose own claims set has other bytes must send it by value.
    public let mayUseKeyIdentifier: Bool

    /// Where, what and when.
    public var rights: Rights { key.rights }
}
