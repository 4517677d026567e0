import Credentials

/// Says of each enrolled key in a file of changes whether it is revoked, by them or by the file below: once, when they are finished, instead of
/// at every tap.
///
/// All keys are looked at each time, those of earlier changes too: later ones revoke people, and take it back. What the site itself
/// revoked is left to the tap, which has it in memory.
struct RevokedKeys {
    private let changes: SQLiteConnection
    /// Whether the changes revoke the key of a row.
    private let byChanges: String

    /// - Parameter kinds: of the revocations in the changes, as bits.
    init(_ changes: SQLiteConnection, kinds: Int64) {
        self.changes = changes
        byChanges = DatabaseSchema.keyIsRevoked(by: kinds, in: "revocation") ?? "0"
    }

    /// Brings the rows up to date.
    /// - Parameter isRevokedBelow: by the file below, and not taken back since.
    func state(_ isRevokedBelow: (Revocation) throws(StorageError) -> Bool) throws(StorageError) {
        let rows = try changes.prepare("SELECT id, revoked, \(byChanges), subject, thumbprint FROM enrolled")
        var others: [(id: Int64, isRevoked: Bool)] = []
        while try rows.step() {
            let isRevoked = try rows.integer(2) != 0 ? true : isAnyInForce(Self.revocations(rows), isRevokedBelow)
            if rows.isNull(1) || (rows.integer(1) != 0) != isRevoked { others.append((rows.integer(0), isRevoked)) }
        }
        try state(others)
    }

    private static func revocations(_ row: SQLiteStatement) -> [Revocation] {
        let subject = row.text(3)
        return [.subject(subject), .suspended(subject), .key(thumbprint: row.bytes(4))]
    }

    private func isAnyInForce(
        _ revocations: [Revocation], _ isRevokedBelow: (Revocation) throws(StorageError) -> Bool
    ) throws(StorageError) -> Bool {
        for revocation in revocations { if try isRevokedBelow(revocation) { return true } }
        return false
    }

    private func state(_ rows: [(id: Int64, isRevoked: Bool)]) throws(StorageError) {
        let update = try changes.prepare("UPDATE enrolled SET revoked = ?2 WHERE id = ?1")
        for row in rows {
            update.bind(row.id, at: 1)
            update.bind(row.isRevoked ? 1 : 0, at: 2)
            try update.run()
        }
    }
}
