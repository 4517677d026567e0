import Cryptography
import Encoding
import Storage

/// One line of the log: who did what. Nothing of a code, a key or a password stands there.
public struct DeskLogEntry: Hashable, Sendable {
    /// What was done.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        case invited, withdrawn, redeemed, suspended, resumed, revoked
        case operatorSet = "operator-set"
        case operatorRemoved = "operator-removed"
        case signedIn = "signed-in"
    }

    /// Its number; there are no gaps.
    public let id: Int64
    /// When, UNIX seconds.
    public let at: Int64
    /// The operator, or `DeskLogEntry.phone`.
    public let who: String
    /// What.
    public let action: Action
    /// With which invitation.
    public let invitation: Int64?
    /// To whom or with what: the subject of an invitation, the name of an operator.
    public let detail: String

    /// Who redeems.
    public static let phone = "(phone)"
}

/// The log is a chain: each entry has the hash of itself and all before it, so that a change in its middle shows, unless all that follows was
/// written anew. No key is in it: whoever has the database can do that. (What is cut off at the end shows by SQLite's own count of entries, as
/// long as whoever cuts forgets it.)
extension DeskDatabase {
    private static let columns = "SELECT id, at, who, action, invitation, detail, hash FROM log"

    func log(_ action: DeskLogEntry.Action, by who: String, invitation: Int64? = nil, detail: String, now: Int64) throws(StorageError) {
        let last = try first("\(Self.columns) ORDER BY id DESC LIMIT 1", []) { KeptEntry($0) }
        let entry = DeskLogEntry(id: (last?.entry.id ?? 0) + 1, at: now, who: who, action: action, invitation: invitation, detail: detail)
        try run("INSERT INTO log (id, at, who, action, invitation, detail, hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", [
            .number(entry.id), .number(now), .text(who), .text(action.rawValue), DeskValue(invitation), .text(detail),
            .bytes(entry.hash(after: last?.hash ?? []))
        ])
    }

    /// The newest entries, the newest first.
    func log(limit: Int) throws(StorageError) -> [DeskLogEntry] {
        try all("\(Self.columns) ORDER BY id DESC LIMIT ?1", [.number(Int64(max(0, limit)))]) { KeptEntry($0)?.entry }
    }

    /// The first entry that is not what was written; nil: the log is whole.
    func brokenLogEntry() throws(StorageError) -> Int64? {
        var expected: Int64 = 1, hash: [UInt8] = []
        while true {
            let part = try all("\(Self.columns) WHERE id >= ?1 ORDER BY id LIMIT 1000", [.number(expected)]) { row in
                (row.integer(0), KeptEntry(row))
            }
            for (_, kept) in part {
                guard let kept, kept.entry.id == expected, kept.hash == kept.entry.hash(after: hash) else { return expected }
                (expected, hash) = (expected + 1, kept.hash)
            }
            guard part.isEmpty else { continue }
            let count = try first("SELECT seq FROM sqlite_sequence WHERE name = 'log'", []) { $0.integer(0) } ?? 0
            return count == expected - 1 ? nil : expected
        }
    }
}

private struct KeptEntry {
    let entry: DeskLogEntry
    let hash: [UInt8]

    init?(_ row: SQLiteStatement) {
        guard let who = row.writtenText(2), let action = row.writtenText(3).flatMap(DeskLogEntry.Action.init), let invitation = row.writtenTime(4),
              let detail = row.writtenText(5), let hash = row.writtenBytes(6) else { return nil }
        entry = DeskLogEntry(id: row.integer(0), at: row.integer(1), who: who, action: action, invitation: invitation, detail: detail)
        self.hash = hash
    }
}

extension DeskLogEntry {
    fileprivate func hash(after previous: [UInt8]) -> [UInt8] {
        let subject = invitation.map { CBOR($0) } ?? .null
        return SHA256.hash(CBOR.array([
            .text("tapstile-invitations-log-1"), .bytes(previous), CBOR(id), CBOR(at), .text(who), .text(action.rawValue), subject, .text(detail)
        ]).encoded)
    }
}
