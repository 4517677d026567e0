import SiteData
import SiteRules
import Storage

/// What is held back is in state 0, and so in no publication; what changes of it later is looked at anew.
extension AuthorityDatabase {
    /// An older program would publish what is held back: it does not open a database of this one.
    static let heldBackStep = "CREATE INDEX membership_of_nobody ON membership (source) WHERE source = \(MembershipSource().rawValue);"

    /// Holds back a record that is to be published, or is. Gates lose it if they have it.
    func holdBack(_ record: PublicationRecord) throws(AuthorityError) {
        switch record {
        case .enrolled(let key): try rememberTold(key)
        case .uidOnlyCard(let card): try rememberTold(card)
        case .rule(.membership(let membership)): try rememberTold(membership)
        case .issuer, .gateCredential, .revocation, .rule, .ceiling, .message: return
        }
        try set(record, state: "0")
        if let name = PeopleKey(record) { try leave(name) }
    }

    /// Gates know of it with the next publication.
    func letGo(_ record: PublicationRecord) throws(AuthorityError) {
        try set(record, state: Self.nextState)
        if let name = PeopleKey(record) { try comeBack(name) }
    }

    /// What is held back.
    func heldRecords() throws(AuthorityError) -> [PublicationRecord] {
        var records: [PublicationRecord] = []
        try forEachEnrolled(.held) { key, _ in records.append(.enrolled(key)) }
        try forEachUIDOnlyCard(.held) { card, _ in records.append(.uidOnlyCard(card)) }
        try forEachMembership(.held) { membership in records.append(.rule(.membership(membership))) }
        return records
    }

    private func set(_ record: PublicationRecord, state: String) throws(AuthorityError) {
        switch record {
        case .enrolled(let key):
            let update = try kept("UPDATE enrolled SET state_version = \(state) WHERE thumbprint = ?1")
            update.bind(key.key.thumbprint, at: 1)
            try update.finish()
        case .uidOnlyCard(let card):
            let update = try kept("UPDATE plain_card SET state_version = \(state) WHERE uid = ?1")
            update.bind(card.number.bytes, at: 1)
            try update.finish()
        case .rule(.membership(let membership)):
            let update = try kept("UPDATE membership SET state_version = \(state) WHERE member_of = ?1 AND subject = ?2")
            update.bind(membership.group, at: 1)
            update.bind(membership.subject, at: 2)
            try update.finish()
        case .issuer, .gateCredential, .revocation, .rule, .ceiling, .message: return
        }
    }

    /// Whether gates have it, as it is or as it was.
    func isTold(_ name: PeopleKey) throws(AuthorityError) -> Bool {
        let query = try kept("SELECT 1 FROM people_told WHERE kind = ?1 AND part = ?2 AND value = ?3 AND name = ?4")
        name.row.bind(to: query)
        return try query.exists()
    }

    // Members ------------------------------------------------------------------------------------

    /// Everybody in one of these groups, whether gates know it or not.
    func members(of groups: Set<String>) throws(AuthorityError) -> Set<String> {
        var members: Set<String> = []
        let query = try prepare("SELECT subject FROM membership WHERE member_of = ?1")
        for group in groups {
            query.bind(group, at: 1)
            while try query.next() { members.insert(query.text(0)) }
            query.reset()
        }
        return members
    }

    /// Whether anybody in the office says that a membership is one. Some are there for gates alone.
    static let isSaid = "source <> \(MembershipSource().rawValue)"

    /// Whether the office says of somebody that he is in one of these groups.
    func isIn(_ groups: Set<String>, _ subject: String) throws(AuthorityError) -> Bool {
        try has(subject, in: groups, "membership WHERE member_of = ?1 AND subject = ?2 AND \(Self.isSaid)")
    }

    /// Whether gates will have it so that is published now.
    func staysIn(_ groups: Set<String>, _ subject: String) throws(AuthorityError) -> Bool {
        try has(subject, in: groups, "membership WHERE member_of = ?1 AND subject = ?2 AND \(Self.isSaid) AND state_version > 0")
    }

    /// Whether gates have it so now.
    func wasIn(_ groups: Set<String>, _ subject: String) throws(AuthorityError) -> Bool {
        let isToldOf = "people_told WHERE kind = \(GoneRow.Kind.membership) AND part = 0 AND value = CAST(?2 AS BLOB) AND name = ?1"
        if try has(subject, in: groups, isToldOf) { return true }
        return try has(subject, in: groups, "membership WHERE member_of = ?1 AND subject = ?2 AND \(Self.isTold)")
    }

    private func has(_ subject: String, in groups: Set<String>, _ rows: String) throws(AuthorityError) -> Bool {
        let query = try kept("SELECT 1 FROM \(rows)")
        for group in groups {
            query.bind(group, at: 1)
            query.bind(subject, at: 2)
            if try query.exists() { return true }
        }
        return false
    }

    /// Whether gates have a membership of which nothing is left here. What is held back is still here.
    func hasLeft(_ membership: Membership) throws(AuthorityError) -> Bool {
        let isHere = try has(membership.subject, in: [membership.group], "membership WHERE member_of = ?1 AND subject = ?2")
        return isHere ? false : try isTold(.membership(membership))
    }

    /// Nobody says any more that this person belongs to the group, and gates are not told yet: without it the old rules may bind nobody.
    func keepInGroup(_ membership: Membership) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO membership (member_of, subject, source, state_version) SELECT ?1, ?2, \(MembershipSource().rawValue), version FROM people_state
            """)
        insert.bind(membership.group, at: 1)
        insert.bind(membership.subject, at: 2)
        try insert.finish()
        let delete = try prepare("DELETE FROM people_told WHERE kind = ?1 AND part = ?2 AND value = ?3 AND name = ?4")
        PeopleKey.membership(membership).row.bind(to: delete)
        try delete.finish()
        try comeBack(.membership(membership))
    }

    /// Memberships that are there for gates alone.
    func membershipsOfNobody() throws(AuthorityError) -> [Membership] {
        let query = try prepare("SELECT member_of, subject FROM membership WHERE source = \(MembershipSource().rawValue)")
        defer { query.reset() }
        var memberships: [Membership] = []
        while try query.next() { memberships.append(Membership(group: query.text(0), subject: query.text(1))) }
        return memberships
    }

    /// Takes such a one away.
    func letLeave(_ membership: Membership) throws(AuthorityError) {
        try rememberTold(membership)
        let delete = try prepare("DELETE FROM membership WHERE member_of = ?1 AND subject = ?2")
        delete.bind(membership.group, at: 1)
        delete.bind(membership.subject, at: 2)
        try delete.finish()
        try leave(.membership(membership))
    }
}

extension PeopleKey {
    /// What names a record of people; nil for one of the site.
    init?(_ record: PublicationRecord) {
        switch record {
        case .enrolled(let key): self = .enrolled(thumbprint: key.key.thumbprint)
        case .uidOnlyCard(let card): self = .card(card.number)
        case .revocation(let revocation): self = .revocation(revocation)
        case .rule(.membership(let membership)): self = .membership(membership)
        case .issuer, .gateCredential, .rule, .ceiling, .message: return nil
        }
    }
}
