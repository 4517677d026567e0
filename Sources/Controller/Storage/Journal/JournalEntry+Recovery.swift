import Encoding

extension JournalEntry {
    /// The record that a file was set aside.
    init(_ aside: JournalSetAside, at time: JournalTime) {
        var detail: [String: CBOR] = ["file": .text(aside.name), "why": .text(aside.reason.message)]
        detail[Self.continuedFrom] = aside.continuedFrom.map { .unsigned($0.sequence) }
        detail[Self.continuedUnproven] = aside.continuedUnproven.map { .unsigned($0.sequence) }
        self.init(kind: .journal, time: time, reason: Self.setAsideReason, detail: detail)
    }

    private static let setAsideReason = "journal-set-aside"
    private static let continuedFrom = "continued-from"
    private static let continuedUnproven = "continued-unproven"

    /// After which records the chains go on in a new file, in the record that says so. Older programs do not name the second.
    func continuation(at sequence: UInt64) -> JournalContinuation? {
        guard kind == .journal, reason == Self.setAsideReason, let main = detail[Self.continuedFrom]?.unsignedInteger else { return nil }
        return JournalContinuation(
            sequence: sequence, milliseconds: time.wallMilliseconds, main: main, unproven: detail[Self.continuedUnproven]?.unsignedInteger)
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
