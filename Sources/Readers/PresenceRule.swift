/// When the phone in a reader's field is served, and when it is left alone (T9). Pure: it is told
/// what the field shows and when, in monotonic milliseconds.
struct PresenceRule {
    /// So long must a phone be away to count as presented anew (T9).
    static let awayMilliseconds: Int64 = 300
    /// So often in a row is a phone served whose presentation broke off.
    static let mostInterruptions = 3
    /// The breath between two such attempts: a phone at the edge of the field needs some time.
    static let interruptionPause: Int64 = 100
    /// The breath after an attempt that did not reach any phone although the field shows one: pcscd looks into a
    /// reader without an interrupt endpoint every 400 ms and may believe until then what is no longer true.
    static let firstMissPause: Int64 = 450
    /// That breath grows to this one, and stays: a phone that lies there is never given up for not being reached.
    static let longestMissPause: Int64 = 1_000

    enum Step: Equatable {
        /// Serve what is in the field. `isRerun`: it was tried before and must start anew; pcscd has not seen it leave.
        case serve(isRerun: Bool)
        /// Nothing to do before that time (nil: before the field changes).
        case wait(until: Int64?)
    }

    private enum Phase {
        /// Whatever is in the field is served at once.
        case open
        /// A presentation runs. `isNew`: the field was empty for long enough since it began, so the phone there now
        /// is another one.
        case serving(after: Tries, isNew: Bool)
        /// The phone had its result and must go away first.
        case spent
        /// The phone is served at that time if it stays.
        case due(at: Int64)
        /// There was no result yet: another attempt at that time, or when the phone comes back. `isRerun` as in `Step`.
        case broken(after: Tries, at: Int64, isRerun: Bool)
    }

    /// What was tried in vain.
    private struct Tries {
        /// Presentations that broke off.
        var interruptions = 0
        /// Since then: attempts that did not reach any phone.
        var misses = 0
    }

    private(set) var isPresent = false
    private var emptySince: Int64?
    private var phase = Phase.open

    /// The field was looked at and shows this.
    mutating func field(isPresent: Bool, at now: Int64) {
        let wasPresent = self.isPresent
        self.isPresent = isPresent
        if isPresent && !wasPresent { arrived(at: now) }
        if !isPresent && emptySince == nil { left(at: now) }
    }

    /// Something left and came back faster than we could look.
    mutating func flickered(at now: Int64) {
        field(isPresent: false, at: now)
        field(isPresent: true, at: now)
    }

    /// The reader cannot be seen any more: unplugged, or pcscd is gone. Time not seen is no time
    /// away, so that a phone left lying is not read again because pcscd was restarted. Whoever had left for long enough before has left.
    mutating func lostSight(at now: Int64) {
        if wasAway(at: now) {
            switch phase {
            case .spent, .due, .broken: phase = .open
            case .open, .serving: break
            }
        }
        isPresent = false
        emptySince = nil
    }

    func step(at now: Int64) -> Step {
        guard isPresent else { return .wait(until: nil) }
        switch phase {
        case .open: return .serve(isRerun: false)
        case .serving, .spent: return .wait(until: nil)
        case .due(let time): return now >= time ? .serve(isRerun: true) : .wait(until: time)
        case .broken(_, let time, let isRerun): return now >= time ? .serve(isRerun: isRerun) : .wait(until: time)
        }
    }

    /// A presentation begins.
    mutating func begin() {
        if case .broken(let tries, _, _) = phase {
            phase = .serving(after: tries, isNew: false)
        } else {
            phase = .serving(after: Tries(), isNew: false)
        }
    }

    /// The presentation ended.
    mutating func end(_ disposition: PresentationDisposition, at now: Int64) {
        guard let tries = endServing() else { return }
        switch disposition {
        case .done: phase = .spent
        case .again(let milliseconds): phase = isPresent ? .due(at: now + max(0, milliseconds)) : .open
        case .interrupted where tries.interruptions + 1 >= Self.mostInterruptions: phase = .spent
        case .interrupted:
            phase = .broken(after: Tries(interruptions: tries.interruptions + 1), at: now + Self.interruptionPause, isRerun: true)
        }
    }

    /// No phone could be reached, so that none was asked anything.
    mutating func missed(at now: Int64) {
        guard var tries = endServing() else { return }
        let pause = min(Self.firstMissPause << min(tries.misses, 8), Self.longestMissPause)
        tries.misses += 1
        phase = .broken(after: tries, at: now + pause, isRerun: true)
    }

    /// Somebody else has the reader: another attempt after `pause` milliseconds, which starts nothing anew under
    /// their hands.
    mutating func refused(at now: Int64, pause: Int64) {
        guard let tries = endServing() else { return }
        phase = .broken(after: tries, at: now + pause, isRerun: false)
    }

    /// What was tried before the attempt that ends now; nil when that was another phone's.
    private mutating func endServing() -> Tries? {
        guard case .serving(let tries, let isNew) = phase else { return nil }
        if isNew { phase = .open }
        return isNew ? nil : tries
    }

    private mutating func left(at now: Int64) {
        emptySince = now
        if case .due = phase { phase = .open }
    }

    private func wasAway(at now: Int64) -> Bool {
        emptySince.map { now - $0 >= Self.awayMilliseconds } ?? false
    }

    private mutating func arrived(at now: Int64) {
        let wasAway = wasAway(at: now)
        emptySince = nil
        switch phase {
        case .open: break
        case .serving(let tries, let isNew): phase = .serving(after: tries, isNew: isNew || wasAway)
        // pcscd has seen it come, and started it anew.
        case .broken(let tries, _, _): phase = wasAway ? .open : .broken(after: tries, at: now, isRerun: false)
        case .spent, .due: if wasAway { phase = .open }
        }
    }
}
