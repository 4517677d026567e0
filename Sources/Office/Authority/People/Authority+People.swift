import Credentials
import Cryptography
import SiteData
import SiteRules
import Storage

extension Authority {
    /// Goes through everything that is published of people, in the order of their keys.
    func forEachPerson(_ body: (PublicationRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        try forEachEnrolledPerson(isInOrderOfKeys: true, body)
        var others = ItemSorter(in: folder)
        try forEachOther { record throws(AuthorityError) in try others.add(.put(record)) }
        try others.forEach { item throws(AuthorityError) in if case .put(let record) = item { try body(record) } }
    }

    /// The same in any order, which costs less.
    func forEachPersonUnsorted(_ body: (PublicationRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        try forEachEnrolledPerson(isInOrderOfKeys: false, body)
        try forEachOther(body)
    }

    private func forEachEnrolledPerson(isInOrderOfKeys: Bool, _ body: (PublicationRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        // Gates refuse a list that lets in such a key; an older program may have enrolled one.
        let otherRoles = try keysOfOtherRoles()
        try database.forEachEnrolled(.published, isInOrderOfKeys: isInOrderOfKeys) { key, _ throws(AuthorityError) in
            if !otherRoles.contains(key.key) { try body(.enrolled(key)) }
        }
    }

    private func forEachOther(_ body: (PublicationRecord) throws(AuthorityError) -> Void) throws(AuthorityError) {
        try database.forEachRevocation { revocation, _ throws(AuthorityError) in try body(.revocation(revocation)) }
        try database.forEachMembership(.published) { membership throws(AuthorityError) in try body(.rule(.membership(membership))) }
        try database.forEachUIDOnlyCard(.published) { card, _ throws(AuthorityError) in try body(.uidOnlyCard(card)) }
    }

    /// What has changed of people since a version.
    /// - Throws: `wholeNeeded` if it is longer than `longest` bytes.
    func peopleItems(since version: Int64, longest: Int) throws(AuthorityError) -> ItemSorter {
        let otherRoles = try keysOfOtherRoles()
        var items = ItemSorter(in: folder)
        try database.forEachChange(since: version) { change throws(AuthorityError) in
            switch change {
            case .put(.enrolled(let key)) where otherRoles.contains(key.key): try items.add(.gone(RecordKey(enrolled: key.key.thumbprint)))
            case .put(let record): try items.add(.put(record))
            case .gone(let name): try items.add(.gone(name.recordKey))
            }
            guard items.length <= longest else { throw .repository(.wholeNeeded) }
        }
        return items
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
