/// What a fire line makes of a lane whose wire is cut or shorted.
public enum FireLineFaultPolicy: String, Hashable, Sendable, CaseIterable {
    /// As a fire alarm does: life first.
    case release
    /// Nothing; it is recorded.
    case stay
}
