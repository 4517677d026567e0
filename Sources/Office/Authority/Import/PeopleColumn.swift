/// The columns of a list of people. The first line of the file names them, in any order.
enum PeopleColumn: String, CaseIterable {
    /// The person or account.
    case subject
    /// The phone's public key: an uncompressed point, in hexadecimal.
    case key
    /// How the phone names it, in hexadecimal.
    case kid
    /// What the key does: sign or agree.
    case use
    /// The number of a UID-only card, in hexadecimal.
    case uid
    /// The groups that the person joins or leaves.
    case groups
    /// The places of key and card.
    case audiences
    /// The commands of the key.
    case scope
    /// The first moment.
    case notBefore = "not-before"
    /// The first moment at which it is over.
    case expires
    /// Whether the key is released only after user verification.
    case userVerified = "user-verified"
    /// set or remove.
    case action

    /// Between the values of a cell that has several.
    static let separator: Character = ";"
}
