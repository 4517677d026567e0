import Credentials
import SiteRules

/// What names one thing that is published of people.
enum PeopleKey: Hashable {
    /// An enrolled key.
    case enrolled(thumbprint: [UInt8])
    /// A UID-only card.
    case card(UIDOnlyCardNumber)
    /// A revocation or a suspension names itself.
    case revocation(Revocation)
    /// So does a membership.
    case membership(Membership)

    /// As a row of the database.
    var row: GoneRow {
        switch self {
        case .enrolled(let thumbprint): GoneRow(kind: GoneRow.Kind.enrolled, value: thumbprint)
        case .card(let number): GoneRow(kind: GoneRow.Kind.uidOnlyCard, value: number.bytes)
        case .revocation(let revocation): GoneRow(RevocationRow(revocation))
        case .membership(let membership):
            GoneRow(kind: GoneRow.Kind.membership, value: Array(membership.subject.utf8), name: membership.group)
        }
    }
}
