import Credentials

/// Whose a UID-only card is, by what the site data say.
enum CardIdentification: Sendable {
    /// It is on the list.
    case holder(Holder)
    /// It is not, and nobody at the gate is told more than a stranger's phone would be.
    case stranger(Reason)
}
