import Credentials
import Cryptography
import Encoding

/// One line of a list of people: a key, a card, groups, or some of them.
struct PeopleRow {
    /// What becomes of it.
    enum Action: String { case set, remove }

    let action: Action
    let subject: String
    let key: PhoneKey?
    /// What the cell says of it.
    let use: KeyUse?
    let keyIdentifier: [UInt8]?
    let card: UIDOnlyCardNumber?
    let groups: [String]
    let listed: ListedRights
    /// Where the cells stand; those that are empty too.
    let cells: [PeopleColumn: CSVField]
    /// Where the line begins.
    let position: CSVPosition

    /// Where to look for something that is wrong with a cell.
    func position(of column: PeopleColumn) -> CSVPosition { cells[column]?.position ?? position }

    /// The key as it is to be enrolled.
    func enrolledKey(_ key: PhoneKey, known: EnrolledKey?) throws(AuthorityError) -> EnrolledKey {
        let request = try EnrolmentRequest(key: key, use: use, subject: subject, keyIdentifier: keyIdentifier)
        return try request.leaving(known, where: listed).enrolledKey()
    }

    /// The card as it is to be on the list.
    func uidOnlyCard(_ number: UIDOnlyCardNumber, known: UIDOnlyCard?) throws(AuthorityError) -> UIDOnlyCard {
        let rights = try listed.rights(leaving: known?.rights ?? Rights())
        return UIDOnlyCard(number: number, subject: subject, audiences: rights.audiences, notBefore: rights.notBefore, expiresAt: rights.expiresAt)
    }
}

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
