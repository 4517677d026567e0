import Encoding
import Service
import Storage
import Threads

/// Writes what the gate itself did, or found, into the journal.
struct Recorder: Sendable {
    let journal: Journal
    let clock: SystemClock

    @discardableResult
    func record(_ kind: JournalKind, _ what: String, lane: String? = nil, reason: String? = nil, detail: [String: CBOR] = [:],
                effects: [StateEffect] = []) -> JournalTicket {
        journal.append(JournalEntry(kind: kind, time: JournalTime(clock), lane: lane, reason: reason,
                                    detail: detail.merging(["what": .text(what)]) { own, _ in own }, effects: effects))
    }
}

extension JournalTicket {
    /// Milliseconds that an answer waits for the disk.
    static let patience = 1000

    /// Whether the record of what somebody asked is on the disk, or comes there soon.
    var isSoonDurable: Bool {
        _ = wait(milliseconds: Self.patience)
        return isDurable
    }
}

extension JournalTime {
    /// Now.
    init(_ clock: SystemClock) {
        self.init(clock.now())
    }

    /// That reading of the clock, taken just now.
    init(_ now: WallTime) {
        self.init(wallMilliseconds: now.milliseconds, trust: now.trust,
                  monotonicMilliseconds: MonotonicTime.milliseconds, machineMilliseconds: now.machine)
    }
}
