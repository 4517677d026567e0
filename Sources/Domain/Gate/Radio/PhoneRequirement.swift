/// In which state a phone must be that wants to pass over BLE. It is what the phone says of itself: a convenience against
/// gates that open by themselves, no proof (that is the second factor, V6).
public enum PhoneRequirement: String, Hashable, Sendable, CaseIterable {
    /// In any: the phone stays in the pocket.
    case none
    /// The app is in front.
    case foreground
    /// The screen is unlocked.
    case unlocked
}
