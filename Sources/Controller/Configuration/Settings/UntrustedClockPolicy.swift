/// Who may pass while nobody vouches for the time.
public enum UntrustedClockPolicy: String, Sendable, CaseIterable {
    /// Enrolled keys; tokens are refused (`clock-untrusted`).
    case enrolledOnly = "enrolled-only"
    /// Nobody.
    case deny
}
