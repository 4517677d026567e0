import Credentials
import VirtualPhone

/// One way in which people come to a gate, and what must come of it.
struct SoakKind: Sendable {
    /// What to call it when it goes wrong.
    let name: String
    /// How many of a round are of this kind.
    let share: Int
    /// What the gate must say.
    let expected: Reason
    /// Those who take turns.
    let phones: [PhoneIdentity]
    /// How their phones are set.
    var settings = PhoneSettings()
    /// What their phones do.
    var behaviour = SoakLink.Behaviour.stays
}
