/// What a phone must say of itself over BLE.
public enum BLERequirement: String, Hashable, Sendable, CaseIterable {
    case none
    /// Its app is in front.
    case foreground
    /// Its screen is unlocked.
    case unlocked
}
