/// What of a person's record is more than the offline role allows.
public enum CeilingExcess: Error, Hashable, Sendable {
    /// A command that may not be given.
    case command(String)
    /// A place outside those for which rights may be given.
    case audience(String)
    /// The whole site, where only parts of it may be given.
    case wholeSite
    /// A group to which nobody may be added.
    case group(String)
    /// A right without an end, where all must have one.
    case noEnd
    /// A right that ends too late.
    case tooLong
    /// A UID-only card, where there are to be none.
    case uidOnlyCards
    /// A key called attested, where none may be.
    case userVerification

    /// What is too much, for the middle of a sentence.
    public var words: String {
        switch self {
        case .command(let command): "the command '\(command)'"
        case .audience(let audience): "the place '\(audience)'"
        case .wholeSite: "the whole site"
        case .group(let group): "the group '\(group)'"
        case .noEnd: "a right without an end"
        case .tooLong: "a right that lasts too long"
        case .uidOnlyCards: "a UID-only card"
        case .userVerification: "a key that is released only after user verification"
        }
    }
}
