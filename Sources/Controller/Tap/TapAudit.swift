import Configuration
import Credentials
import Encoding
import Gate
import Lanes
import PhoneProtocol
import Service
import Storage
import Threads
import Vocabulary

/// The audit of one lane's presentations: the four rules of docs/architecture.md, in one place.
///
/// The threads of readers and radios call. `latestGrant` guards a ticket, and is free while the journal is asked.
package final class TapAudit: Sendable {
    private let lane: String
    private let journal: Journal
    private let clock: SystemClock
    /// The outcome of the lane's latest grant, until it is durable (rule 3).
    private let latestGrant = Mutex<(ticket: JournalTicket, entry: JournalEntry)?>(nil)

    package init(lane: String, journal: Journal, clock: SystemClock) {
        self.lane = lane
        self.journal = journal
        self.clock = clock
    }

    /// Rule 1, first half: the attempt goes to the disk while the phone computes its answer.
    /// - Parameter transcript: what names the exchange; nil for a card, with which there is none.
    package func begin(_ attempt: Attempt, transcript: [UInt8]?) -> JournalTicket {
        journal.append(JournalEntry(kind: .attempt, time: time, lane: lane, reader: attempt.reader,
                                    carrier: attempt.carrier, transcriptHash: transcript, detail: Self.marked([:], attempt)))
    }

    /// Rules 1 and 3: waits until the attempt and the lane's latest grant are durable, at most
    /// `rules.durableWithin` from the phone's proof at `proof` (monotonic milliseconds).
    package func condition(of attempt: JournalTicket?, proof: Int64, rules: AuditRules) -> AuditCondition {
        let deadline = proof + rules.durableWithin
        guard isLatestGrantDurable(by: deadline) else { return .previousOutcomeNotDurable }
        guard let attempt, isDurable(attempt, by: deadline) else { return .attemptNotDurable }
        return .durable
    }

    private func isLatestGrantDurable(by deadline: Int64) -> Bool {
        guard let latest = latestGrant.withLock({ $0 }) else { return true }
        switch latest.ticket.waitUntilDurable(untilMonotonicMilliseconds: deadline) {
        case .durable:
            latestGrant.withLock { $0 = nil }
            return true
        case .refused:
            // The journal does not keep it (too many records were waiting): it is told again.
            let ticket = journal.append(latest.entry)
            latestGrant.withLock { $0 = (ticket, latest.entry) }
            return false
        case .pending, .failed:
            return false
        }
    }

    /// What the journal is told about the outcome of a phone that proved itself, or of a card that is known.
    /// - Parameter action: what the lane does when that command is run; nil where it runs none of that name.
    func outcome(_ decision: Decision, of attempt: Attempt, presentedEvidence: PresentedEvidence, holder: Holder, action: CommandAction?,
                 at time: JournalTime) -> JournalEntry {
        var detail: [String: CBOR] = ["rule": .text(decision.rule.rawValue), "command": .text(presentedEvidence.request.command)]
        if let action, action != .pass { detail["action"] = .text(action.word) }
        if case .output(let output, _, for: _)? = action { detail["output"] = .text(output) }
        if decision.reason == .beyondCeiling, let excess = holder.excess { detail["beyond"] = .text(excess.words) }
        if !decision.notes.isEmpty { detail["notes"] = .text(decision.notes.map(\.rawValue).joined(separator: " ")) }
        return JournalEntry(
            kind: .outcome, time: time, lane: lane, reader: attempt.reader, carrier: attempt.carrier,
            transcriptHash: presentedEvidence.transcript, attempt: attempt.record?.sequence, subject: holder.subject,
            credential: holder.identifier, reason: decision.reason.rawValue, isProven: true,
            evidence: decision.isGranted ? presentedEvidence.evidence : [],
            detail: Self.marked(detail, attempt))
    }

    /// Rule 2: the outcome of a phone that proved itself goes to the disk. For a grant, waits for its
    /// commit at most `rules.outcomeWait`, so that people need not wait for a slow disk.
    func conclude(_ outcome: JournalEntry, isGrant: Bool, rules: AuditRules) -> JournalTicket {
        let ticket = journal.append(outcome)
        if isGrant {
            latestGrant.withLock { $0 = (ticket, outcome) }
            _ = ticket.wait(milliseconds: rules.outcomeWait)
        }
        return ticket
    }

    /// The outcome of a presentation in which nothing was proved. Floods of these are counted, and
    /// cannot push out what was proved.
    func concludeUnproven(_ reason: Reason, of attempt: Attempt) {
        concludeUnproven(reason, of: attempt, record: attempt.record)
    }

    /// The same for one of the records of a phone that begins again.
    func concludeUnproven(_ reason: Reason, of attempt: Attempt, record: JournalTicket?) {
        _ = journal.append(JournalEntry(
            kind: .outcome, time: time, lane: lane, reader: attempt.reader, carrier: attempt.carrier,
            attempt: record?.sequence, reason: reason.rawValue, isProven: false, detail: Self.marked([:], attempt)))
    }

    /// A grant whose relay could not be driven: its outcome stands, and this says that nobody passed.
    func relayFailed(after ticket: JournalTicket) {
        _ = journal.append(JournalEntry(
            kind: .service, time: time, lane: lane, reason: Reason.laneFault.rawValue,
            detail: ["outcome": .unsigned(ticket.sequence), "what": "relay-not-driven"]))
    }

    /// The details of a record, with what its attempt is worth.
    private static func marked(_ detail: [String: CBOR], _ attempt: Attempt) -> [String: CBOR] {
        guard let word = attempt.assurance.shown else { return detail }
        return detail.merging([JournalEntry.assuranceDetail: .text(word)]) { _, new in new }
    }

    private func isDurable(_ ticket: JournalTicket, by deadline: Int64) -> Bool {
        if ticket.isDurable { return true }
        switch ticket.waitUntilDurable(untilMonotonicMilliseconds: deadline) {
        case .durable: return true
        case .pending, .failed, .refused: return false
        }
    }

    private var time: JournalTime { JournalTime(clock) }
}

/// What an installer decided about the audit of one lane's grants. Times are milliseconds.
package struct AuditRules: Equatable, Sendable {
    /// What happens when an attempt cannot be made durable.
    package let onFailure: AuditFailurePolicy
    /// How long the relay waits for the outcome's commit.
    let outcomeWait: Int
    /// How long after the phone's proof the attempt's commit may take.
    let durableWithin: Int64

    /// The rules of a lane as the settings say.
    package init(_ settings: AuditSettings, lane: LaneSettings) {
        onFailure = lane.auditOnFailure
        outcomeWait = settings.waitMilliseconds
        durableWithin = Int64(settings.durableWithinMilliseconds)
    }
}
