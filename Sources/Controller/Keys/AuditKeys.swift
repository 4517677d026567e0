import Audit
import Cryptography
import Encoding
import Service
import Storage

/// The audit key that is in use, and those that the journal names: each key that ever signed is announced in the journal, so
/// that an auditor knows when it changed.
struct AuditKeys: Sendable {
    /// The key in use, or why there is none.
    let current: Result<AuditKey, AuditKeyProblem>
    /// Whether an earlier key was lost before this start.
    let isLoss: Bool
    /// Whether the key is there and the journal that it has signed is not.
    let isJournalGone: Bool

    private static let mostAnnouncements = 1000

    /// Announces the key if the journal, as far as it is kept, does not name it.
    /// - Parameter isNew: whether there was neither a journal nor anything that remembers one.
    init(_ current: Result<AuditKey, AuditKeyProblem>, announcedIn journal: Journal, isNew: Bool, at time: JournalTime, log: Log) {
        self.current = current
        // A gate's first start makes both.
        isJournalGone = if case .success(let key) = current, key.origin == .kept { isNew } else { false }
        if isJournalGone {
            log.error("journal-gone: \(Self.goneSentence)")
            _ = journal.append(JournalEntry(kind: .journal, time: time, reason: "journal-gone"))
        }
        guard case .success(let key) = current else {
            if case .failure(let problem) = current { log.error("\(problem.code): \(problem.message)") }
            isLoss = false
            return
        }
        let named = Self.announced(in: journal).last?.thumbprint
        let isReplaced = if case .replaced = key.origin { true } else { false }
        isLoss = isReplaced || (key.origin == .made && named != nil)
        if isLoss { log.error("audit-key-lost: \(Self.lossSentence(key))") }
        if key.origin == .made, !isLoss { log.notice("audit-key-made: the gate has made its audit key \(Hex.encode(key.thumbprint).prefix(16))") }
        guard named != key.thumbprint else { return }
        _ = journal.append(JournalEntry(
            kind: .journal, time: time, reason: AuditKeyAnnouncement.reason,
            detail: ["what": .text(isLoss ? "audit-key-replaced" : key.origin == .made ? "audit-key-made" : "audit-key-named"),
                     "key": .bytes(AuditKeyAnnouncement.bytes(of: key.key.publicKey))]))
    }

    /// The keys that the journal names, the oldest first.
    static func announced(in journal: Journal) -> [PublicKey] {
        let records = try? journal.read(from: 1, limit: mostAnnouncements, filter: JournalFilter(reason: AuditKeyAnnouncement.reason))
        return (records ?? []).compactMap { record in
            record.entry.detail["key"]?.bytes.flatMap { AuditKeyAnnouncement.key(in: $0) }
        }
    }

    /// What `status` says.
    var json: JSON {
        switch current {
        case .success(let key):
            var fields: JSONObject = ["thumbprint": .string(Hex.encode(key.thumbprint))]
            if isJournalGone { fields["warning"] = ["code": "journal-gone", "message": .string(Self.goneSentence)] }
            if isLoss { fields["warning"] = ["code": "audit-key-lost", "message": .string(Self.lossSentence(key))] }
            return .object(fields)
        case .failure(let problem):
            return ["warning": ["code": .string(problem.code), "message": .string(problem.message)]]
        }
    }

    private static let goneSentence =
        "The audit key has signed a journal here, and neither that nor what remembers its end is there: a new one begins. Find out who had access."

    private static func lossSentence(_ key: AuditKey) -> String {
        let why = switch key.origin {
        case .replaced(let why, let aside): "The audit key was damaged (\(why) It is kept as \(aside))"
        case .kept, .made: "The audit key is gone"
        }
        return why + "; a new one was made. Find out who had access, and give auditors the new public half: tapstile journal audit-key --out FILE"
    }
}
