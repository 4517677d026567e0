import Credentials

extension DatabaseSchema {
    /// `trust.db`, and the file of changes that lies upon it. Each is built whole and never changed afterwards, but to bring its schema up to
    /// date.
    ///
    /// Thumbprints are indexed by their first 8 bytes as an integer: a million full ones would double the
    /// index, and the row is compared anyway. Indexes are made after the rows, by sorting.
    static let trust = DatabaseSchema(
        applicationIdentifier: 0x5453_5452, // "TSTR"
        name: "site data",
        steps: [
            """
            CREATE TABLE publication (
                id INTEGER PRIMARY KEY CHECK (id = 1), site TEXT NOT NULL, version INTEGER NOT NULL,
                issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, body_hash BLOB NOT NULL,
                generation INTEGER NOT NULL, issuers INTEGER NOT NULL, gate_credentials INTEGER NOT NULL,
                enrolled INTEGER NOT NULL, revocations INTEGER NOT NULL, revocation_kinds INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE issuer (
                name TEXT PRIMARY KEY, x BLOB NOT NULL, y BLOB
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE gate_credential (
                id INTEGER PRIMARY KEY, raw BLOB NOT NULL
            ) STRICT;
            CREATE TABLE enrolled (
                id INTEGER PRIMARY KEY, kid BLOB NOT NULL, print INTEGER NOT NULL, thumbprint BLOB NOT NULL,
                use INTEGER NOT NULL, curve INTEGER NOT NULL, x BLOB NOT NULL, y BLOB, subject TEXT NOT NULL,
                scope BLOB NOT NULL, audiences BLOB NOT NULL, not_before INTEGER, expires_at INTEGER
            ) STRICT;
            CREATE TABLE revocation (
                kind INTEGER NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, value)
            ) STRICT, WITHOUT ROWID;
            """,
            // When this gate applied it (S2), UNIX seconds; nobody knows for one that an older program applied.
            "ALTER TABLE publication ADD COLUMN applied_at INTEGER;",
            // Whether the key was attested as released only after user verification (V6); an older program knew of none.
            "ALTER TABLE enrolled ADD COLUMN user_verification INTEGER NOT NULL DEFAULT 0;",
            // What the site decided about time and places, who belongs to which group, and where it all came from. Whether a key
            // is revoked is worked out when a publication is applied; null in a file that an older program made.
            """
            CREATE TABLE rule (id INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
            CREATE TABLE membership (
                id INTEGER PRIMARY KEY, person BLOB NOT NULL, member_of TEXT NOT NULL
            ) STRICT;
            \(membershipIndex);
            ALTER TABLE enrolled ADD COLUMN revoked INTEGER;
            ALTER TABLE publication ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE publication ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE publication ADD COLUMN memberships INTEGER NOT NULL DEFAULT 0;
            """,
            // UID-only cards (V8).
            """
            CREATE TABLE plain_card (
                uid BLOB PRIMARY KEY, subject TEXT NOT NULL, audiences BLOB NOT NULL, not_before INTEGER, expires_at INTEGER,
                revoked INTEGER NOT NULL DEFAULT 0
            ) STRICT, WITHOUT ROWID;
            ALTER TABLE publication ADD COLUMN plain_cards INTEGER NOT NULL DEFAULT 0;
            """,
            // What comes from a repository (S4): where in its versions, what of it was signed offline, and what makes changes possible: the
            // sum of the state, and what tells this file from others. In a file of changes `base` is the file they lie upon, and `gone`
            // names its rows that count no more.
            """
            ALTER TABLE publication ADD COLUMN epoch INTEGER;
            ALTER TABLE publication ADD COLUMN site_hash BLOB;
            ALTER TABLE publication ADD COLUMN ceiling BLOB;
            ALTER TABLE publication ADD COLUMN state_sum BLOB;
            ALTER TABLE publication ADD COLUMN file BLOB;
            ALTER TABLE publication ADD COLUMN base BLOB;
            CREATE TABLE gone (
                kind INTEGER NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, value)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE site_revocation (
                kind INTEGER NOT NULL, value BLOB NOT NULL, PRIMARY KEY (kind, value)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE word (
                language TEXT NOT NULL, name TEXT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (language, name)
            ) STRICT, WITHOUT ROWID;
            """,
            // Where only the people of some zones are kept: what these zones come to, in the place of the sum of the state.
            "ALTER TABLE publication ADD COLUMN zone_sums BLOB;",
            // The version in use before, where this one was made without knowledge of it.
            "ALTER TABLE publication ADD COLUMN forked_from INTEGER;",
            // Of changes: whether their keys say who is revoked by either file. Those of an older program do not.
            "ALTER TABLE publication ADD COLUMN states_revoked INTEGER NOT NULL DEFAULT 0;",
            // Of a key of changes: whether the file below may have other keys of its `kid` that count. Where nobody looked, it may.
            "ALTER TABLE enrolled ADD COLUMN kid_below INTEGER NOT NULL DEFAULT 1;",
            // The most that the tokens of an issuer may say; an older program took no issuer that has such a ceiling.
            "ALTER TABLE issuer ADD COLUMN ceiling BLOB;"
        ])

    /// A person is known by the digest of the subject. The index answers by itself: taps wait for it.
    static let membershipIndex = "CREATE INDEX membership_by_person ON membership (person, member_of)"
    /// It is there from the schema's fourth step on. Rows come before indexes.
    static let withoutMembershipIndex = "DROP INDEX membership_by_person"

    /// Whether the key of a row is revoked: its subject, for ever or for now, or itself.
    static let keyIsRevoked = """
        EXISTS (SELECT 1 FROM revocation WHERE kind IN (3, 5) AND value = CAST(subject AS BLOB))
        OR EXISTS (SELECT 1 FROM revocation WHERE kind = 4 AND value = thumbprint)
        """

    /// The same of a new file, of whose revocations the kinds are known. Only kinds that the table has are looked for.
    /// - Parameters:
    ///   - kinds: as bits.
    ///   - table: `revocation`, or the site's own.
    /// - Returns: nil if the table says nothing of keys.
    static func keyIsRevoked(by kinds: Int64, in table: String) -> String? {
        let ofKey = kinds & RevocationRow(.key(thumbprint: [])).bit == 0
            ? nil : "EXISTS (SELECT 1 FROM \(table) WHERE kind = 4 AND value = thumbprint)"
        let either = [cardIsRevoked(by: kinds, in: table), ofKey].compactMap { $0 }
        return either.isEmpty ? nil : either.joined(separator: " OR ")
    }

    /// Whether the card of a row is revoked: its subject is.
    static func cardIsRevoked(by kinds: Int64, in table: String) -> String? {
        let ofSubjects = [Revocation.subject(""), .suspended("")].map { RevocationRow($0) }.filter { kinds & $0.bit != 0 }
        guard !ofSubjects.isEmpty else { return nil }
        let numbers = ofSubjects.map { String($0.kind) }.joined(separator: ", ")
        return "EXISTS (SELECT 1 FROM \(table) WHERE kind IN (\(numbers)) AND value = CAST(subject AS BLOB))"
    }

    /// Run when all rows are there.
    static let trustIndexes = [
        "CREATE INDEX enrolled_by_kid ON enrolled (kid)",
        "CREATE INDEX enrolled_by_print ON enrolled (print)",
        membershipIndex
    ]
}
