import SiteData

/// Says of each enrolled key in a file of changes whether the file below has other keys of its `kid` that count, so that a tap need not look
/// there: once, when the changes are finished.
///
/// A key below never counts again once it is gone, so that a `kid` that was found alone stays alone.
struct SharedKeyIdentifiers {
    private let changes: SQLiteConnection
    private let below: SQLiteConnection

    init(_ changes: SQLiteConnection, below: SQLiteConnection) {
        self.changes = changes
        self.below = below
    }

    /// Brings the rows up to date.
    /// - Parameter isGone: whether a key of the file below, by its thumbprint, counts no more.
    func state(_ isGone: ([UInt8]) throws(StorageError) -> Bool) throws(StorageError) {
        let rows = try changes.prepare("SELECT id, kid FROM enrolled WHERE kid_below <> 0")
        let keys = try below.prepare("SELECT thumbprint FROM enrolled WHERE kid = ?1")
        var alone: [Int64] = []
        while try rows.step() {
            keys.bind(rows.bytes(1), at: 1)
            if try !hasAny(keys, isGone) { alone.append(rows.integer(0)) }
        }
        let update = try changes.prepare("UPDATE enrolled SET kid_below = 0 WHERE id = ?1")
        for row in alone {
            update.bind(row, at: 1)
            try update.run()
        }
    }

    private func hasAny(_ keys: SQLiteStatement, _ isGone: ([UInt8]) throws(StorageError) -> Bool) throws(StorageError) -> Bool {
        defer { keys.reset() }
        while try keys.step() { if try !isGone(keys.bytes(0)) { return true } }
        return false
    }
}
