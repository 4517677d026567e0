import Credentials
import Storage

extension Authority {
    /// Takes a UID-only card onto the site's list (V8), or replaces what was known of it.
    /// - Parameter rights: where and when; a card has the default command and no other.
    /// - Returns: the card, and whether it was on the list before.
    public func enrol(card number: [UInt8], subject: String, rights: Rights = Rights(), now: Int64) throws(AuthorityError)
        -> (card: UIDOnlyCard, isReplacement: Bool) {
        let number = try Self.cardNumber(number)
        let subject = try SubjectName.checked(subject), rights = try rights.checked()
        guard rights.scope == [UIDOnlyCard.command] else { throw .cardCommand }
        let card = UIDOnlyCard(number: number, subject: subject, audiences: rights.audiences, notBefore: rights.notBefore,
                             expiresAt: rights.expiresAt)
        let isReplacement = try database.transaction { () throws(AuthorityError) in
            guard try !database.isTakenBack(.subject(subject)) else { throw .subjectRevoked(subject) }
            let known = try database.card(number)
            try database.refuse(holder: known?.subject, otherThan: subject)
            if known != card { try database.entryCeiling()?.refuse(.uidOnlyCard(card), now: now) }
            try database.put(card, inPlaceOf: known, now: now)
            return known != nil
        }
        return (card, isReplacement)
    }

    /// Whose a UID-only card is; nil: it is not on the list.
    public func holder(ofCard number: [UInt8]) throws(AuthorityError) -> String? { try database.card(Self.cardNumber(number))?.subject }

    /// Takes a UID-only card off the list. Gates know with the next publication.
    public func remove(card number: [UInt8]) throws(AuthorityError) {
        let number = try Self.cardNumber(number)
        try database.transaction { () throws(AuthorityError) in
            guard try database.card(number) != nil else { throw .cardUnknown }
            try database.remove(number)
        }
    }

    /// Goes through the UID-only cards, each with the time at which it was enrolled.
    public func forEachUIDOnlyCard(_ body: (UIDOnlyCard, _ at: Int64) -> Void) throws(AuthorityError) {
        try database.forEachUIDOnlyCard { card, time in body(card, time) }
    }

    private static func cardNumber(_ bytes: [UInt8]) throws(AuthorityError) -> UIDOnlyCardNumber {
        do throws(UIDOnlyCardNumberFlaw) { return try UIDOnlyCardNumber(bytes) } catch { throw .cardNumber(error) }
    }
}

extension AuthorityDatabase {
    /// Enters a card, in the place of what was known of it. One that is known like this already is not published again.
    func put(_ card: UIDOnlyCard, inPlaceOf known: UIDOnlyCard?, now: Int64) throws(AuthorityError) {
        if let known, known != card { try rememberTold(known) }
        // It was gone, or held back.
        if known != card { try comeBack(.card(card.number)) }
        let insert = try kept("""
            INSERT INTO plain_card (uid, subject, places, not_before, expires_at, enrolled_at, state_version)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, \(Self.nextState))
            ON CONFLICT (uid) DO UPDATE SET subject = ?2, places = ?3, not_before = ?4, expires_at = ?5, enrolled_at = ?6
                \(known == card ? "" : ", state_version = excluded.state_version")
            """)
        insert.bind(card.number.bytes, at: 1)
        insert.bind(card.subject, at: 2)
        insert.bind(Rights(audiences: card.audiences).encodedPlaces, at: 3)
        insert.bind(card.notBefore, at: 4)
        insert.bind(card.expiresAt, at: 5)
        insert.bind(now, at: 6)
        try insert.finish()
    }

    /// Takes a card off the list. Gates know with the next publication.
    func remove(_ number: UIDOnlyCardNumber) throws(AuthorityError) {
        if let known = try card(number) { try rememberTold(known) }
        let delete = try prepare("DELETE FROM plain_card WHERE uid = ?1")
        delete.bind(number.bytes, at: 1)
        try delete.finish()
        try leave(.card(number))
    }

    /// What is known of a card; nil if it is not on the list.
    func card(_ number: UIDOnlyCardNumber) throws(AuthorityError) -> UIDOnlyCard? {
        let query = try kept("SELECT uid, subject, places, not_before, expires_at FROM plain_card WHERE uid = ?1")
        query.bind(number.bytes, at: 1)
        defer { query.reset() }
        return try query.next() ? UIDOnlyCard(row: query) : nil
    }

    /// UID-only cards by their numbers, each with the time at which it was enrolled; those since a version in any order.
    func forEachUIDOnlyCard(
        _ rows: PeopleRows = .all, _ body: (UIDOnlyCard, _ at: Int64) throws(AuthorityError) -> Void
    ) throws(AuthorityError) {
        let query = try prepare("""
            SELECT uid, subject, places, not_before, expires_at, enrolled_at FROM plain_card
            \(rows.clause(inOrderOf: "uid"))
            """)
        query.bind(rows)
        defer { query.reset() }
        while try query.next() { try body(UIDOnlyCard(row: query), query.integer(5)) }
    }
}

extension UIDOnlyCard {
    fileprivate init(row: SQLiteStatement) throws(AuthorityError) {
        guard let number = try? UIDOnlyCardNumber(row.bytes(0)), let subject = row.writtenName(1), let rights = Rights(row: row, at: 2),
              rights.scope == [UIDOnlyCard.command] else { throw .damaged("a card of '\(row.text(1))' is not as it was enrolled") }
        self.init(number: number, subject: subject, audiences: rights.audiences, notBefore: rights.notBefore, expiresAt: rights.expiresAt)
    }
}
