/// What a lane shows to the people in front of it (L2).
public enum Light: String, Hashable, Sendable, CaseIterable {
    /// Present a phone.
    case ready
    /// Pass.
    case granted
    /// Not you, or not now.
    case denied
    /// Out of service.
    case fault
}
