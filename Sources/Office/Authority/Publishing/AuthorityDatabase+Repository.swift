import Cryptography
import SiteData
import Storage

/// What the authority knows of the site's repository: the roles with their keys, and what was signed last. It is written
/// here before it is written there, so that an interruption is made good by the next command.
extension AuthorityDatabase {
    static let repositoryStep = """
        CREATE TABLE repository (
            id INTEGER PRIMARY KEY CHECK (id = 1), path TEXT NOT NULL, epoch INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE role (
            name TEXT PRIMARY KEY, threshold INTEGER NOT NULL, valid_seconds INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE role_key (
            id INTEGER PRIMARY KEY, role TEXT NOT NULL, keyid TEXT NOT NULL, x BLOB NOT NULL, file TEXT, since INTEGER NOT NULL,
            until INTEGER, UNIQUE (role, keyid)
        ) STRICT;
        CREATE TABLE metadata (
            role TEXT NOT NULL, version INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (role, version)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE site_data (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
        CREATE TABLE ceiling (
            id INTEGER PRIMARY KEY CHECK (id = 1), places BLOB NOT NULL, member_of BLOB, longest INTEGER, plain_cards INTEGER NOT NULL,
            user_verification INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE people_bundle (
            path TEXT PRIMARY KEY, version INTEGER NOT NULL, length INTEGER NOT NULL, hash BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    func repository() throws(AuthorityError) -> (path: String, epoch: Int64)? {
        let query = try prepare("SELECT path, epoch FROM repository")
        defer { query.reset() }
        return try query.next() ? (query.text(0), query.integer(1)) : nil
    }

    func setRepository(path: String, epoch: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT OR REPLACE INTO repository (id, path, epoch) VALUES (1, ?1, ?2)")
        insert.bind(path, at: 1)
        insert.bind(epoch, at: 2)
        try insert.finish()
    }

    /// Nothing is signed yet, and no role has a key.
    func forgetRepository(now: Int64) throws(AuthorityError) {
        try prepare("DELETE FROM metadata").finish()
        try prepare("DELETE FROM people_bundle").finish()
        let update = try prepare("UPDATE role_key SET until = ?1 WHERE until IS NULL")
        update.bind(now, at: 1)
        try update.finish()
    }

    func role(_ role: RepositoryRole) throws(AuthorityError) -> (threshold: Int, validSeconds: Int64) {
        let query = try prepare("SELECT threshold, valid_seconds FROM role WHERE name = ?1")
        query.bind(role.rawValue, at: 1)
        defer { query.reset() }
        return try query.next() ? (Int(query.integer(0)), query.integer(1)) : (1, role.usualSeconds)
    }

    func set(_ role: RepositoryRole, threshold: Int, validSeconds: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT OR REPLACE INTO role (name, threshold, valid_seconds) VALUES (?1, ?2, ?3)")
        insert.bind(role.rawValue, at: 1)
        insert.bind(Int64(threshold), at: 2)
        insert.bind(validSeconds, at: 3)
        try insert.finish()
    }

    /// Every key that a role has or had, oldest first.
    func roleKeys(_ role: RepositoryRole? = nil) throws(AuthorityError) -> [RoleKey] {
        let query = try prepare("SELECT role, x, file, since, until, keyid FROM role_key WHERE ?1 IS NULL OR role = ?1 ORDER BY id")
        query.bind(role?.rawValue, at: 1)
        defer { query.reset() }
        var keys: [RoleKey] = []
        while try query.next() {
            guard let role = RepositoryRole(rawValue: query.text(0)), let key = try? PublicKey(curve: .ed25519, x: query.bytes(1), y: nil),
                  key.metadataIdentifier == query.text(5) else { throw .damaged("a key of the role '\(query.text(0))' is none") }
            keys.append(RoleKey(role: role, key: key, file: query.optionalText(2), since: query.integer(3), until: query.optionalInteger(4)))
        }
        return keys
    }

    func add(_ key: RoleKey) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO role_key (role, keyid, x, file, since, until) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (role, keyid) DO UPDATE SET until = ?6
            """)
        insert.bind(key.role.rawValue, at: 1)
        insert.bind(key.identifier, at: 2)
        insert.bind(key.key.x, at: 3)
        insert.bind(key.file, at: 4)
        insert.bind(key.since, at: 5)
        insert.bind(key.until, at: 6)
        try insert.finish()
    }

    /// The newest metadata of a role that was accepted or published; nil if there is none.
    func metadata(_ role: RepositoryRole) throws(AuthorityError) -> [UInt8]? {
        let query = try prepare("SELECT bytes FROM metadata WHERE role = ?1 ORDER BY version DESC LIMIT 1")
        query.bind(role.rawValue, at: 1)
        defer { query.reset() }
        return try query.next() ? query.bytes(0) : nil
    }

    /// Every root, oldest first.
    func roots() throws(AuthorityError) -> [(version: Int64, bytes: [UInt8])] {
        let query = try prepare("SELECT version, bytes FROM metadata WHERE role = ?1 ORDER BY version")
        query.bind(RepositoryRole.root.rawValue, at: 1)
        defer { query.reset() }
        var roots: [(version: Int64, bytes: [UInt8])] = []
        while try query.next() { roots.append((query.integer(0), query.bytes(1))) }
        return roots
    }

    /// Keeps metadata. Of the root every version is kept, for the way from any of them to the newest; of others the newest.
    func keep(_ role: RepositoryRole, version: Int64, _ bytes: [UInt8]) throws(AuthorityError) {
        if role != .root {
            let delete = try prepare("DELETE FROM metadata WHERE role = ?1")
            delete.bind(role.rawValue, at: 1)
            try delete.finish()
        }
        let insert = try prepare("INSERT INTO metadata (role, version, bytes) VALUES (?1, ?2, ?3)")
        insert.bind(role.rawValue, at: 1)
        insert.bind(version, at: 2)
        insert.bind(bytes, at: 3)
        try insert.finish()
    }

    /// The part of the site that was signed last, with its own count.
    func siteData() throws(AuthorityError) -> (version: Int64, bytes: [UInt8])? {
        let query = try prepare("SELECT version, bytes FROM site_data")
        defer { query.reset() }
        return try query.next() ? (query.integer(0), query.bytes(1)) : nil
    }

    func keep(siteData bytes: [UInt8], version: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT OR REPLACE INTO site_data (id, version, bytes) VALUES (1, ?1, ?2)")
        insert.bind(version, at: 1)
        insert.bind(bytes, at: 2)
        try insert.finish()
    }
}
