import Encoding
import Lines
import Service
import Storage

/// What lasts as long as the process: opened once at the start, closed at the stop, and the same
/// before and after a reload.
struct GateParts: Sendable {
    /// The lines, outputs at their safe level.
    let bank: any LineBank
    /// The audit.
    let journal: Journal
    /// Rings when the journal fails or works again.
    let journalBell: JournalBell
    /// The site data.
    let trust: TrustStore
    /// The tokens that phones may name by a reference.
    let tokens: KnownTokens
    /// The schedules of the site data.
    let schedules: Schedules
    /// The time of day.
    let clock: SystemClock
    /// Tells systemd that every loop goes on, and which one does not.
    let heartbeat: Heartbeat
    /// Does what may take long.
    let housekeeper: Housekeeper
    /// Tells subscribers.
    let events: EventHub
    /// The logs by room.
    let logs: LogOutput

    /// Writes something that the gate itself did, or found, into the journal.
    func record(_ kind: JournalKind, _ what: String, lane: String? = nil, reason: String? = nil, detail: [String: CBOR] = [:]) {
        _ = journal.append(JournalEntry(kind: kind, time: journalTime, lane: lane, reason: reason,
                                        detail: detail.merging(["what": .text(what)]) { own, _ in own }))
    }
}
