/// How a contact is as long as nothing is the matter.
public enum NormalContact: String, Sendable, CaseIterable {
    case open, closed
}
