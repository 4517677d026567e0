/// Somebody who is on a list of the office, with how much there is to come in by.
public struct ListedPerson: Hashable, Sendable {
    /// The person or account.
    public let subject: String
    /// How many keys count now, enrolled or in a token; whatever is against the person.
    public let phones: Int
    /// How many UID-only cards count now.
    public let cards: Int
    /// What is against everything of the person.
    public let state: HeldState
}

/// What becomes of something that a person holds, at a time.
public enum HeldState: String, Hashable, Sendable {
    /// It counts.
    case valid
    /// It does not count yet.
    case notYetValid = "not-yet-valid"
    /// It is over.
    case expired
    /// It was taken back.
    case revoked
    /// Everything of its holder is suspended.
    case suspended
    /// Its holder is banned.
    case banned
}
