import Cryptography
import Encoding
import Files
import Threads

/// Office and repository lie in folders that are backed up together. Restored together they agree with one another, and gates know more.
extension Authority {
    /// Where the package lets an office keep notes: nobody backs it up.
    public static let usualNotes = "/var/cache/tapstile-authority"
    /// The variable of the environment that names another folder.
    public static let notesVariable = "TAPSTILE_AUTHORITY_NOTES"

    /// The note of the line of roots that there is; nil if notes are not kept, or nothing was signed yet.
    private func notePlace() throws(AuthorityError) -> (line: String, path: String)? {
        guard let notes, let first = try database.roots().first else { return nil }
        let line = Hex.encode(SHA256.hash(first.bytes).prefix(16))
        return (line, "\(notes)/\(line).newest")
    }

    /// The newest that was published, as far as it was noted.
    func publishedNote() throws(AuthorityError) -> PublishedNote? {
        guard let place = try notePlace() else { return nil }
        return try PublishedNote(at: place.path)
    }

    /// What office and repository lack of what was published; nil: nothing, as far as anybody noted it.
    func lack(in place: RepositoryFolder) throws(AuthorityError) -> RepositoryError? {
        guard let (line, path) = try notePlace() else { return nil }
        guard let note = try PublishedNote(at: path) else {
            guard try database.isNoted(line) else { return nil }
            return .noteMissing(path: path, newest: try place.newest(.timestamp).flatMap(MetadataFile.signed)?.issued ?? 0)
        }
        for role in RepositoryRole.allCases {
            let noted = note.versions[role] ?? 0, here = max(try signed(role)?.version ?? 0, try place.newestVersion(role))
            if here < noted { return .restoredTogether(role, here: here, noted: noted, path: path) }
        }
        return nil
    }

    /// Stops until a person has brought back what is missing, or says that nobody has it any more.
    func overcome(_ lack: RepositoryError, _ choice: RestoredOffice.Choice?) throws(AuthorityError) {
        guard case .restoredTogether(let role, _, _, _) = lack else {
            guard choice != nil else { throw .repository(lack) }
            return
        }
        // Roots are taken one by one: there is no going above one that is missing.
        guard choice == .office, role != .root else { throw .repository(lack) }
        if let (path, epoch) = try database.repository(), let noted = try publishedNote()?.epoch, epoch < noted { try database.setRepository(path: path, epoch: noted) }
    }

    /// Notes what was published now. Where there is no place for notes, none are kept.
    func noteDown() throws(AuthorityError) {
        guard let (line, path) = try notePlace(), let epoch = try database.repository()?.epoch else { return }
        var note = PublishedNote()
        for role in RepositoryRole.allCases { note.versions[role] = try signed(role)?.version }
        note.state = try database.peopleVersion()
        note.epoch = epoch
        do throws(SystemError) {
            try SmallFile.replace(path, with: note.bytes, mode: 0o644)
        } catch {
            // What was kept once must not become old in silence.
            guard try database.isNoted(line) else { return }
            throw .system(error)
        }
        try database.setNoted(line)
    }

    /// Whether more was published than the database has, which only a restored one can be. Timestamps are signed elsewhere too.
    func isOlder(than place: RepositoryFolder) throws(AuthorityError) -> Bool {
        let note = try publishedNote()
        for role in RepositoryRole.allCases {
            let here = try signed(role)?.version ?? 0, there = role == .timestamp ? 0 : try place.newestVersion(role)
            if max(there, note?.versions[role] ?? 0) > here { return true }
        }
        return false
    }
}

extension AuthorityDatabase {
    static let restoredStep = """
        CREATE TABLE noted (line TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE restoration (id INTEGER PRIMARY KEY CHECK (id = 1), noticed_at INTEGER NOT NULL, is_open INTEGER NOT NULL) STRICT;
        """

    /// Whether notes of a line of roots were kept outside.
    func isNoted(_ line: String) throws(AuthorityError) -> Bool {
        let query = try prepare("SELECT 1 FROM noted WHERE line = ?1")
        query.bind(line, at: 1)
        return try query.exists()
    }

    func setNoted(_ line: String) throws(AuthorityError) {
        guard try !isNoted(line) else { return }
        let insert = try prepare("INSERT INTO noted (line) VALUES (?1)")
        insert.bind(line, at: 1)
        try insert.finish()
    }

    /// When it was noticed last that this database had been restored from an old backup, UNIX seconds; nil: never.
    func restoredAt() throws(AuthorityError) -> Int64? {
        let query = try prepare("SELECT noticed_at FROM restoration")
        defer { query.reset() }
        return try query.next() ? query.integer(0) : nil
    }

    /// Notes it once, until somebody has said what counts.
    func noticeRestoration(at time: Int64) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO restoration (id, noticed_at, is_open) VALUES (1, ?1, 1)
            ON CONFLICT (id) DO UPDATE SET noticed_at = ?1, is_open = 1 WHERE is_open = 0
            """)
        insert.bind(time, at: 1)
        try insert.finish()
    }

    func settleRestoration() throws(AuthorityError) { try prepare("UPDATE restoration SET is_open = 0").finish() }
}

/// The newest that an office has published, noted outside of its folder and of its repository. Where both were restored from one backup, nothing else here says
/// that gates have had more.
struct PublishedNote: Equatable {
    /// The newest version of each role.
    var versions: [RepositoryRole: Int64] = [:]
    /// The newest state of people.
    var state: Int64 = 0
    /// The epoch in which states count.
    var epoch: Int64 = 0

    private static let longest = 1 << 12

    init() {}

    /// Nil if there is none, or none that can be read.
    init?(at path: String) throws(AuthorityError) {
        guard let bytes = try RepositoryFolder.read(at: path, limit: Self.longest), let json = try? JSON.parse(bytes),
              let state = json["state"]?.integer, let epoch = json["epoch"]?.integer else { return nil }
        self.state = state
        self.epoch = epoch
        for role in RepositoryRole.allCases {
            guard let version = json[role.rawValue]?.integer else { return nil }
            versions[role] = version
        }
    }

    /// As it is written.
    var bytes: [UInt8] {
        let noted = RepositoryRole.allCases.map { role in (role.rawValue, JSON.integer(versions[role] ?? 0)) }
        return Array(JSON.object(JSONObject(noted + [("state", .integer(state)), ("epoch", .integer(epoch))])).text.utf8)
    }
}
