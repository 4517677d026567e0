import Encoding
import Gate
import Service
import Storage
import Threads

/// Writes what the gate itself did, or found, into the journal.
package struct Recorder: Sendable {
    package let journal: Journal
    package let clock: SystemClock

    package init(journal: Journal, clock: SystemClock) {
        self.journal = journal
        self.clock = clock
    }

    @discardableResult
    package func record(_ kind: JournalKind, _ what: String, lane: String? = nil, reason: String? = nil, detail: [String: CBOR] = [:],
                effects: [StateEffect] = []) -> JournalTicket {
        journal.append(JournalEntry(kind: kind, time: JournalTime(clock), lane: lane, reason: reason,
                                    detail: detail.merging(["what": .text(what)]) { own, _ in own }, effects: effects))
    }
}

extension JournalTicket {
    /// Milliseconds that an answer waits for the disk.
    package static let patience = 1000

    /// Whether the record of what somebody asked is on the disk, or comes there soon.
    package var isSoonDurable: Bool {
        _ = wait(milliseconds: Self.patience)
        return isDurable
    }
}

extension JournalTime {
    /// Now.
    package init(_ clock: SystemClock) {
        self.init(clock.now())
    }

    /// That reading of the clock, taken just now.
    package init(_ now: WallTime) {
        self.init(wallMilliseconds: now.milliseconds, trust: now.trust,
                  monotonicMilliseconds: MonotonicTime.milliseconds, machineMilliseconds: now.machine)
    }
}

extension Requester {
    /// Who asked, for a record.
    package var detail: [String: CBOR] { ["user": .unsigned(UInt64(user)), "process": CBOR(Int64(process))] }
}
