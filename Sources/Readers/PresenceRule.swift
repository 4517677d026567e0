/// When the phone in a reader's field is served, and when it is left alone (T9). Pure: it is told
/// what the field shows and when, in monotonic milliseconds.
struct PresenceRule {
    /// So long must a phone be away to count as presented anew (T9).
    static let awayMilliseconds: Int64 = 300
    /// So often in a row is a phone served whose presentation broke off.
    static let mostInterruptions = 3
    /// The breath between two such attempts: a phone at the edge of the field needs some time.
    static let interruptionPause: Int64 = 100

    enum Step: Equatable {
        case serve
        /// Nothing to do before that time (nil: before the field changes).
        case wait(until: Int64?)
    }

    private enum Phase {
        /// Whatever is in the field is served at once.
        case open
        /// A presentation runs; `interruptions` broke off before it. `isNew`: the field was empty
        /// for long enough since it began, so the phone there now is another one.
        case serving(interruptions: Int, isNew: Bool)
        /// The phone had its result and must go away first.
        case spent
        /// The phone is served at that time if it stays.
        case due(at: Int64)
        /// The presentation broke off: another attempt at that time, or when the phone comes back.
        case broken(interruptions: Int, at: Int64)
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
    /// away, so that a phone left lying is not read again because pcscd was restarted.
    mutating func lostSight() {
        isPresent = false
        emptySince = nil
    }

    func step(at now: Int64) -> Step {
        guard isPresent else { return .wait(until: nil) }
        switch phase {
        case .open: return .serve
        case .serving, .spent: return .wait(until: nil)
        case .due(let time), .broken(_, let time): return now >= time ? .serve : .wait(until: time)
        }
    }

    /// A presentation begins.
    mutating func begin() {
        if case .broken(let interruptions, _) = phase {
            phase = .serving(interruptions: interruptions, isNew: false)
        } else {
            phase = .serving(interruptions: 0, isNew: false)
        }
    }

    /// The presentation ended.
    mutating func end(_ disposition: PresentationDisposition, at now: Int64) {
        guard case .serving(let interruptions, let isNew) = phase else { return }
        if isNew {
            phase = .open
            return
        }
        switch disposition {
        case .done: phase = .spent
        case .again(let milliseconds): phase = isPresent ? .due(at: now + max(0, milliseconds)) : .open
        case .interrupted where interruptions + 1 >= Self.mostInterruptions: phase = .spent
        case .interrupted: phase = .broken(interruptions: interruptions + 1, at: now + Self.interruptionPause)
        }
    }

    private mutating func left(at now: Int64) {
        emptySince = now
        if case .due = phase { phase = .open }
    }

    private mutating func arrived(at now: Int64) {
        let wasAway = emptySince.map { now - $0 >= Self.awayMilliseconds } ?? false
        emptySince = nil
        guard wasAway else { return }
        switch phase {
        case .open: break
        case .serving(let interruptions, _): phase = .serving(interruptions: interruptions, isNew: true)
        case .spent, .due, .broken: phase = .open
        }
    }
}
