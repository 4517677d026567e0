import Cryptography
import Encoding
import Evidence
import Files
import Service
import Storage

/// The audit key that is in use, and those that the journal names: each key that ever signed is announced in the journal, so
/// that an auditor knows when it changed.
package struct AuditKeys: Sendable {
    /// The key in use, or why there is none.
    package let current: Result<AuditKey, AuditKeyProblem>
    /// What somebody has to look after: the one that says most.
    private let alarm: Alarm?

    /// What a key and the journal beside it tell together.
    enum Alarm {
        /// An earlier key was lost before this start.
        case lost(AuditKey)
        /// Another key lies in the file than the one that has signed until now.
        case exchanged(before: [UInt8])
        /// The key is there and the journal that it has signed is not.
        case journalGone
        /// Others than the gate's user may use the file.
        case exposed(Exposure)
    }

    private static let mostAnnouncements = 1000

    /// Announces the key if the journal, as far as it is kept, does not name it.
    /// - Parameter isNew: whether there was neither a journal nor anything that remembers one.
    package init(_ current: Result<AuditKey, AuditKeyProblem>, announcedIn journal: Journal, isNew: Bool, at time: JournalTime, log: Log) {
        self.current = current
        guard case .success(let key) = current else {
            if case .failure(let problem) = current { log.error("\(problem.code): \(problem.message)") }
            alarm = nil
            return
        }
        let named = Self.announced(in: journal).last?.thumbprint
        alarm = Self.alarm(key, named: named, isNew: isNew)
        if let alarm {
            log.error("\(alarm.code): \(alarm.message)")
        } else if key.origin == .made {
            log.notice("audit-key-made: the gate has made its audit key \(Hex.encode(key.thumbprint).prefix(16))")
        }
        if case .journalGone = alarm { _ = journal.append(JournalEntry(kind: .journal, time: time, reason: "journal-gone")) }
        guard named != key.thumbprint else { return }
        _ = journal.append(JournalEntry(
            kind: .journal, time: time, reason: AuditKeyAnnouncement.reason,
            detail: ["what": .text(alarm?.announcement ?? (key.origin == .made ? "audit-key-made" : "audit-key-named")),
                     "key": .bytes(AuditKeyAnnouncement.bytes(of: key.key.publicKey))]))
    }

    /// - Parameters:
    ///   - named: the key that the journal names last.
    ///   - isNew: whether there was neither a journal nor anything that remembers one; a gate's first start makes both.
    private static func alarm(_ key: AuditKey, named: [UInt8]?, isNew: Bool) -> Alarm? {
        switch key.origin {
        case .replaced: .lost(key)
        case .made: named == nil ? nil : .lost(key)
        case .kept(let exposure):
            if let named, named != key.thumbprint { .exchanged(before: named) } else if isNew { .journalGone } else { exposure.map(Alarm.exposed) }
        }
    }

    /// The keys that the journal names, the oldest first.
    package static func announced(in journal: Journal) -> [PublicKey] {
        let records = try? journal.read(from: 1, limit: mostAnnouncements, filter: JournalFilter(reason: AuditKeyAnnouncement.reason))
        return (records ?? []).compactMap { record in
            record.entry.detail["key"]?.bytes.flatMap { AuditKeyAnnouncement.key(in: $0) }
        }
    }

    /// What `status` says.
    package var json: JSON {
        switch current {
        case .success(let key):
            var fields: JSONObject = ["thumbprint": .string(Hex.encode(key.thumbprint))]
            if let alarm { fields["warning"] = ["code": .string(alarm.code), "message": .string(alarm.message)] }
            return .object(fields)
        case .failure(let problem):
            return ["warning": ["code": .string(problem.code), "message": .string(problem.message)]]
        }
    }
}

extension AuditKeys.Alarm {
    /// Stable code.
    package var code: String {
        switch self {
        case .lost: "audit-key-lost"
        case .exchanged: "audit-key-exchanged"
        case .journalGone: "journal-gone"
        case .exposed: "key-exposed"
        }
    }

    /// How the journal announces the key then; nil as without an alarm.
    var announcement: String? {
        switch self {
        case .lost: "audit-key-replaced"
        case .exchanged: "audit-key-exchanged"
        case .journalGone, .exposed: nil
        }
    }

    private static let auditors = "Find out who had access, and give auditors the new public half: tapstile journal audit-key --out FILE"

    /// A sentence for people.
    package var message: String {
        switch self {
        case .lost(let key):
            switch key.origin {
            case .replaced(let why, let aside): "The audit key was damaged (\(why) It is kept as \(aside)); a new one was made. \(Self.auditors)"
            case .kept, .made: "The audit key is gone; a new one was made. \(Self.auditors)"
            }
        case .exchanged(let before):
            "Another audit key lies in \(AuditKey.fileName) than the one that has signed until now (\(Hex.encode(before).prefix(16))). \(Self.auditors)"
        case .journalGone:
            "The audit key has signed a journal here, and neither that nor what remembers its end is there: a new one begins. Find out who had access."
        case .exposed(.mode(let mode)):
            "Others than the gate may use \(AuditKey.fileName) (its mode is \(String(mode, radix: 8))), and sign as it does: sudo chmod 600, then find out who could."
        case .exposed(.owner(let user)):
            "\(AuditKey.fileName) belongs to the user \(user), who can sign as the gate does: sudo chown it to the gate's user, then find out who did."
        }
    }
}
