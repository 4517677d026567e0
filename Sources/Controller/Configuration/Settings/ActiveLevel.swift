/// The voltage that means on.
public enum ActiveLevel: String, Sendable, CaseIterable {
    case high, low
}
