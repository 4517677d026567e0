import Credentials
import Cryptography
import SiteRules
import Storage
import TrustSync

extension Authority {
    /// Goes through everything that is published of people, in the order of their keys.
    func forEachPerson(_ body: (PublicationRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        // Gates refuse a list that lets in such a key; an older program may have enrolled one.
        let otherRoles = try keysOfOtherRoles()
        try database.forEachEnrolled(isInOrderOfKeys: true) { key, _ throws(AuthorityError) in
            if !otherRoles.contains(key.key) { try body(.enrolled(key)) }
        }
        var revocations: [(RecordKey, Revocation)] = []
        try database.forEachRevocation { revocation, _ in revocations.append((RecordKey(revocation: revocation), revocation)) }
        for (_, revocation) in revocations.sorted(by: { $0.0 < $1.0 }) { try body(.revocation(revocation)) }
        var memberships: [(RecordKey, Membership)] = []
        try database.forEachMembership { memberships.append((RecordKey(membership: $0.group, subject: $0.subject), $0)) }
        for (_, membership) in memberships.sorted(by: { $0.0 < $1.0 }) { try body(.rule(.membership(membership))) }
        try database.forEachPlainCard { card, _ throws(AuthorityError) in try body(.plainCard(card)) }
    }

    /// What has changed of people since a version, in the order of keys.
    func peopleItems(since version: Int64) throws(AuthorityError) -> [BundleItem] {
        let otherRoles = try keysOfOtherRoles()
        var items: [BundleItem] = []
        try database.forEachChange(since: version) { change in
            switch change {
            case .put(.enrolled(let key)) where otherRoles.contains(key.key): items.append(.gone(RecordKey(enrolled: key.key.thumbprint)))
            case .put(let record): items.append(.put(record))
            case .gone(let name): items.append(.gone(name.recordKey))
            }
        }
        return items.map { ($0.key, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension PeopleKey {
    /// How bundles name it.
    var recordKey: RecordKey {
        switch self {
        case .enrolled(let thumbprint): RecordKey(enrolled: thumbprint)
        case .card(let number): RecordKey(card: number)
        case .revocation(let revocation): RecordKey(revocation: revocation)
        case .membership(let membership): RecordKey(membership: membership.group, subject: membership.subject)
        }
    }
}
