import AuditJournal
import Encoding
import Lanes
import Lines
import Service
import Site
import Storage
import Tap
import Threads

/// What lasts as long as the process: opened once at the start, closed at the stop, and the same
/// before and after a reload.
struct GateParts: Sendable {
    /// The lines, outputs at their safe level.
    let bank: any LineBank
    /// The audit.
    let journal: Journal
    /// The keys that sign checkpoints of it.
    let auditKeys: AuditKeys
    /// Rings when the journal fails or works again, and when it is time to collect it.
    let journalBell: Bell
    /// The site data.
    let trust: TrustStore
    /// How long the gate has served since newer site data were verified.
    let age: TrustAge
    /// Why the site's own file is not in use.
    let siteFile: SiteFileState
    /// The tokens that phones may name by a reference.
    let tokens: KnownTokens
    /// The rules of the site data about time and places.
    let hours: SiteHours
    /// The schedules of the site data.
    let schedules: Schedules
    /// Gives lanes the modes of their plans.
    let plans: PlanRunner
    /// What the site's rules and anti-passback say about people.
    let access: Access
    /// What survives a restart: who is inside, what operators asked of lanes.
    let state: GateState
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

    /// Writes into the journal.
    var recorder: Recorder { Recorder(journal: journal, clock: clock) }

    /// A journal that was set aside, or that refused records while the disk failed, has forgotten what they changed: it is told
    /// what holds now.
    func restateWhatWasLost() {
        guard state.hasLost(journal.status) else { return }
        state.restate { recorder.record(.service, "state-restated", effects: $0) }
    }
}
