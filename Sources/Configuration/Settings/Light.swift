/// What a light says.
public enum Light: String, Sendable, CaseIterable {
    /// The lane waits for a phone.
    case ready
    /// Pass.
    case granted
    /// No.
    case denied
    /// The lane is out of order.
    case fault
}
