import SiteRules
import Threads

/// One state of the site data with a small pool of readers. Taps lend a reader; replacing the snapshot
/// waits until all are back, so that closing a large file never falls to a tap.
final class TrustSnapshot: Sendable {
    /// As many taps look something up at the same moment; more wait some microseconds.
    private static let readers = 2

    private struct Pool {
        var free: [TrustReader]
        var lent = 0
        var isRetired = false
    }

    let publication: TrustPublication
    let rules: SiteRules
    /// What people are to be shown, by what it is for and by language.
    let messages: [String: [String: String]]
    private let pool: Monitor<Pool>

    /// Whether changes can be made to it, and whether there are some already.
    let canChange: Bool
    let hasChanges: Bool

    /// Opens the file `name`, checking what can be checked at once.
    /// - Parameter changes: the file of changes upon it.
    /// - Throws: `no-trust-data` where they lie upon another file.
    init(_ name: String, changes: String? = nil, in folder: StorageFolder, fileSystem: String?) throws(StorageError) {
        for name in [name] + (changes.map { [$0] } ?? []) {
            try TrustUpgrade(name: name, folder: folder, fileSystem: fileSystem).run()
            guard let header = try folder.header(of: name, logged: false) else {
                throw StorageError(.corrupt, "\(folder.path(of: name)) is empty.")
            }
            try DatabaseSchema.trust.check(version: header.userVersion, owner: header.applicationIdentifier)
        }
        var free: [TrustReader] = []
        for _ in 0..<Self.readers {
            free.append(try TrustReader(
                path: folder.path(of: name), changesPath: changes.map { folder.path(of: $0) }, like: free.first, fileSystem: fileSystem))
        }
        publication = free[0].publication
        rules = free[0].site.rules
        messages = free[0].site.messages
        canChange = free[0].file != nil
        hasChanges = changes != nil
        pool = Monitor(Pool(free: free))
    }

    /// Lends a reader to `body`; nil if the snapshot was replaced meanwhile.
    func read<Result>(_ body: (TrustReader) throws(StorageError) -> Result) throws(StorageError) -> Result? {
        guard let reader = borrow() else { return nil }
        defer { giveBack(reader) }
        return try body(reader)
    }

    private func borrow() -> TrustReader? {
        // Those who have them may be waiting for the disk.
        Loop.outside(.disk) {
            pool.wait { pool -> TrustReader?? in
                if pool.isRetired { return .some(nil) }
                guard let reader = pool.free.popLast() else { return nil }
                pool.lent += 1
                return .some(reader)
            }
        }
    }

    private func giveBack(_ reader: TrustReader) {
        pool.change { pool in
            pool.free.append(reader)
            pool.lent -= 1
        }
    }

    /// Lends no more, waits until all readers are back, and closes them on the calling thread.
    func retire() {
        pool.change { $0.isRetired = true }
        let all = Loop.outside(.disk) {
            pool.wait { pool -> [TrustReader]? in
                guard pool.lent == 0 else { return nil }
                defer { pool.free = [] }
                return pool.free
            }
        }
        withExtendedLifetime(all) {}
    }
}

/// Brings `trust.db` of an older program up to date, before readers open it as a file that nobody changes.
struct TrustUpgrade {
    /// The file's name.
    let name: String
    let folder: StorageFolder
    /// The SQLite VFS; tests bring one that fails on demand.
    let fileSystem: String?

    /// One transaction. Where the power went in the middle of it, SQLite's own journal lies beside the file and is
    /// played back here: those who read the file as unchanging would not look at it.
    ///
    /// A disk that does not take the change now leaves the file as it is: it can be read, and is tried again at the
    /// next start.
    /// - Throws: `newer-schema` with the file untouched, `database-corrupt`, and what keeps an interrupted change
    ///   from being undone.
    func run() throws(StorageError) {
        let wasInterrupted = folder.has(name + "-journal")
        guard let header = try folder.header(of: name, logged: true) else { return }
        let schema = DatabaseSchema.trust
        try schema.check(version: header.userVersion, owner: header.applicationIdentifier)
        guard wasInterrupted || (header.userVersion > 0 && header.userVersion < schema.version) else { return }
        do throws(StorageError) {
            let connection = try SQLiteConnection(
                path: folder.path(of: name), access: .readWrite, fileSystem: fileSystem, cacheKibibytes: 256)
            try connection.execute("PRAGMA synchronous = FULL")
            // Reading plays the journal back. A file without a schema is none of ours: whoever opens it says so.
            if try connection.integer("PRAGMA user_version") > 0 { try schema.migrate(connection) }
        } catch {
            guard !wasInterrupted, error.mayPass, !folder.has(name + "-journal") else { throw error }
        }
    }
}
