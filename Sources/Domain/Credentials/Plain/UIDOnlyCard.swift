/// A UID-only card on the site's list of those that may open (requirement V8). It runs the default command and no other, and never stands for a
/// second factor: what it shows can be copied.
public struct UIDOnlyCard: Hashable, Sendable {
    /// Its number.
    public let number: UIDOnlyCardNumber
    /// The person or account.
    public let subject: String
    /// The places where it counts, see `Place`; empty: the whole site.
    public let audiences: [String]
    /// First valid second, UNIX time; nil: no limit.
    public let notBefore: Int64?
    /// First second at which it is valid no more, UNIX time; nil: no limit.
    public let expiresAt: Int64?

    /// The only command of a UID-only card.
    public static let command = TokenClaims.defaultCommand

    /// A card of the site data.
    public init(number: UIDOnlyCardNumber, subject: String, audiences: [String] = [], notBefore: Int64? = nil, expiresAt: Int64? = nil) {
        self.number = number
        self.subject = subject
        self.audiences = audiences
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    /// Every revocation that would take this card back. One card alone is taken back by taking it off the list.
    public var revocations: [Revocation] { [.subject(subject), .suspended(subject)] }
}
