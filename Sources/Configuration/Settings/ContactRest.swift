/// How a contact is as long as nothing is the matter.
public enum ContactRest: String, Sendable, CaseIterable {
    case open, closed
}
