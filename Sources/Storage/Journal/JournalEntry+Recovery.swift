import Encoding

extension JournalEntry {
    /// The record that a file was set aside.
    init(_ aside: JournalSetAside, at time: JournalTime) {
        var detail: [String: CBOR] = ["file": .text(aside.name), "why": .text(aside.reason.message)]
        if let head = aside.continuedFrom { detail["continued-from"] = .unsigned(head.sequence) }
        self.init(kind: .journal, time: time, reason: "journal-set-aside", detail: detail)
    }

    /// The record that records are missing after a known head.
    init(missingAfter head: JournalHead, at time: JournalTime) {
        self.init(
            kind: .journal, time: time, reason: "journal-records-missing",
            detail: ["known-sequence": .unsigned(head.sequence), "known-hash": .bytes(head.hash)])
    }

    /// The record that a file of an older program was brought up to date.
    init(upgradedFrom schema: Int, at time: JournalTime) {
        self.init(
            kind: .journal, time: time, reason: "journal-upgraded",
            detail: ["from": CBOR(schema), "to": CBOR(Int(DatabaseSchema.journal.version))])
    }
}
