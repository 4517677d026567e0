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
    let card: PlainCardNumber?
    let groups: [String]
    let rights: Rights
    let userVerification: Bool
    /// Where the cells stand; those that are empty too.
    let cells: [PeopleColumn: CSVField]
    /// Where the line begins.
    let position: CSVPosition

    /// Where to look for something that is wrong with a cell.
    func position(of column: PeopleColumn) -> CSVPosition { cells[column]?.position ?? position }

    /// The key as it is to be enrolled.
    func enrolledKey(_ key: PhoneKey) throws(AuthorityError) -> EnrolledKey {
        var request = try EnrolmentRequest(key: key, use: use, subject: subject, keyIdentifier: keyIdentifier, rights: rights)
        request.userVerification = userVerification
        return try request.enrolledKey()
    }
}
