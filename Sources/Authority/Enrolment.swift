import Credentials

/// What became of a key that was to be enrolled.
public struct Enrolment: Sendable {
    /// The record for the gates.
    public let key: EnrolledKey
    /// Whether the key was enrolled before; what was known of it is replaced.
    public let isReplacement: Bool
    /// Whether the phone may name its key by `kid` alone: gates then take `key.credential` as its claims
    /// set. A phone whose own claims set has other bytes must send it by value.
    public let mayUseKeyIdentifier: Bool
}
