import Credentials
import SiteData
import SiteRules
import Storage

/// What is published of people is a state with a version that counts up. Each row knows the version with which gates learn
/// of it, and what was taken away leaves a row behind that says so: a small publication is made of these.
extension AuthorityDatabase {
    /// What was there before has never been published as a state: the first one has all of it.
    static let peopleStep = """
        CREATE TABLE people_state (
            id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, told_since INTEGER NOT NULL
        ) STRICT;
        INSERT INTO people_state VALUES (1, 0, 0);
        ALTER TABLE enrolled ADD COLUMN state_version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE plain_card ADD COLUMN state_version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE revocation ADD COLUMN state_version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE membership ADD COLUMN state_version INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE membership ADD COLUMN source INTEGER NOT NULL DEFAULT \(MembershipSource.rules.rawValue);
        CREATE TABLE gone (
            kind INTEGER NOT NULL, part INTEGER NOT NULL, value BLOB NOT NULL, name TEXT NOT NULL, state_version INTEGER NOT NULL,
            PRIMARY KEY (kind, part, value, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE people_told (
            kind INTEGER NOT NULL, part INTEGER NOT NULL, value BLOB NOT NULL, name TEXT NOT NULL, record BLOB NOT NULL,
            PRIMARY KEY (kind, part, value, name)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE people_sum (
            id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, sum BLOB NOT NULL, enrolled INTEGER NOT NULL,
            revocations INTEGER NOT NULL, memberships INTEGER NOT NULL, cards INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX enrolled_by_state ON enrolled (state_version);
        CREATE INDEX plain_card_by_state ON plain_card (state_version);
        CREATE INDEX revocation_by_state ON revocation (state_version);
        CREATE INDEX membership_by_state ON membership (state_version);
        CREATE INDEX gone_by_state ON gone (state_version);
        """

    /// The version with which gates learn of what is written now.
    static let nextState = "(SELECT version + 1 FROM people_state)"

    /// The state that was published last; 0 before the first.
    func peopleVersion() throws(AuthorityError) -> Int64 {
        let query = try prepare("SELECT version FROM people_state")
        defer { query.reset() }
        guard try query.next() else { throw .damaged }
        return query.integer(0)
    }

    /// Writes down that something is gone which gates may have.
    func leave(_ name: PeopleKey) throws(AuthorityError) {
        let insert = try kept("""
            INSERT OR REPLACE INTO gone (kind, part, value, name, state_version) VALUES (?1, ?2, ?3, ?4, \(Self.nextState))
            """)
        name.row.bind(to: insert)
        try insert.finish()
    }

    /// Something is there again, or for the first time.
    func comeBack(_ name: PeopleKey) throws(AuthorityError) {
        let delete = try kept("DELETE FROM gone WHERE kind = ?1 AND part = ?2 AND value = ?3 AND name = ?4")
        name.row.bind(to: delete)
        try delete.finish()
    }

    /// Goes through what gates do not know yet that have the state `version`: in no order.
    func forEachChange(since version: Int64, _ body: (PeopleChange) throws(AuthorityError) -> Void) throws(AuthorityError) {
        try forEachEnrolled(.since(version)) { key, _ throws(AuthorityError) in try body(.put(.enrolled(key))) }
        try forEachUIDOnlyCard(.since(version)) { card, _ throws(AuthorityError) in try body(.put(.uidOnlyCard(card))) }
        try forEachRevocation(.since(version)) { revocation, _ throws(AuthorityError) in try body(.put(.revocation(revocation))) }
        try forEachMembership(.since(version)) { membership throws(AuthorityError) in try body(.put(.rule(.membership(membership)))) }
        let query = try prepare("SELECT kind, part, value, name FROM gone WHERE state_version > ?1")
        query.bind(version, at: 1)
        defer { query.reset() }
        while try query.next() {
            guard let name = GoneRow(query).name else { throw .damaged }
            try body(.gone(name))
        }
    }

    /// How many things gates do not know yet that have the state `version`.
    func changeCount(since version: Int64) throws(AuthorityError) -> Int {
        var count: Int64 = 0
        for table in Self.tablesOfPeople {
            let query = try prepare("SELECT count(*) FROM \(table) WHERE state_version > ?1")
            query.bind(version, at: 1)
            defer { query.reset() }
            guard try query.next() else { throw .damaged }
            count += query.integer(0)
        }
        return Int(clamping: count)
    }

    /// Where rows know the version with which gates learn of them.
    static let tablesOfPeople = ["enrolled", "plain_card", "revocation", "membership", "gone"]
}

/// What became of one thing that is published of people.
enum PeopleChange: Hashable {
    /// It is there, new or other than it was.
    case put(PublicationRecord)
    /// It is there no more.
    case gone(PeopleKey)
}
