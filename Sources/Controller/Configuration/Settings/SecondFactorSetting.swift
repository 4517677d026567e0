/// When a lane grants only on keys that are released after user verification (V6).
public enum SecondFactorSetting: String, Hashable, Sendable, CaseIterable {
    case never
    case always
    /// While a schedule of the site data is in force.
    case scheduled
}
