/// When the phone in a reader's field is served, and when it is left alone (T9). Pure: it is told
/// what the field shows and when, in monotonic milliseconds.
///
/// The pause after a result is the phone's that had it, not the reader's. A field does not say whether whoever comes within it is the same one
/// or the next: phones make their numbers up each time. So it is served, marked (`mayBeTheSame`), and who it is tells what it proves.
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
        /// `isOther`: it was empty for a moment, and it may be.
        case serving(after: Tries, isNew: Bool, isOther: Bool)
        /// The phone had its result and must go away first. `isGivenUp`: it had none, but broke off too often.
        case spent(isGivenUp: Bool)
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
    /// Whether the phone that is there, or is served, came so soon after one that had its result that it may be that one.
    private(set) var mayBeTheSame = false
    private var emptySince: Int64?
    /// It was not seen to leave: something else was found in its place.
    private var isHidden = false
    private var phase = Phase.open

    /// The field was looked at and shows this.
    /// - Parameter isSame: it is known to be the one that was served last.
    mutating func field(isPresent: Bool, isSame: Bool = false, at now: Int64) {
        let wasPresent = self.isPresent
        self.isPresent = isPresent
        if isPresent && !wasPresent { arrived(isSame: isSame, at: now) }
        if !isPresent && emptySince == nil { left(at: now) }
        if !isPresent { isHidden = false }
    }

    /// Something else was found in its place. It may be there all the same, behind that.
    mutating func hidden(at now: Int64) {
        field(isPresent: false, at: now)
        isHidden = true
    }

    /// Something left and came back faster than we could look.
    mutating func flickered(isSame: Bool = false, at now: Int64) {
        field(isPresent: false, at: now)
        field(isPresent: true, isSame: isSame, at: now)
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
        (emptySince, isHidden) = (nil, false)
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
            phase = .serving(after: tries, isNew: false, isOther: false)
        } else {
            phase = .serving(after: Tries(), isNew: false, isOther: false)
        }
    }

    /// The presentation ended.
    mutating func end(_ disposition: PresentationDisposition, at now: Int64) {
        guard case .serving(_, _, let isOther) = phase, let tries = endServing() else { return }
        switch disposition {
        case .done: spend(isOther: isOther)
        case .again(let milliseconds): phase = isPresent && !isOther ? .due(at: now + max(0, milliseconds)) : .open
        case .interrupted where tries.interruptions + 1 >= Self.mostInterruptions: phase = .spent(isGivenUp: true)
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
        guard case .serving(let tries, let isNew, _) = phase else { return nil }
        if isNew { (phase, mayBeTheSame) = (.open, false) }
        return isNew ? nil : tries
    }

    /// The phone had its result. Whoever came while it had is served.
    private mutating func spend(isOther: Bool) {
        mayBeTheSame = isOther
        phase = isOther && isPresent ? .open : .spent(isGivenUp: false)
    }

    private mutating func left(at now: Int64) {
        emptySince = now
        if case .due = phase { phase = .open }
    }

    private func wasAway(at now: Int64) -> Bool {
        emptySince.map { now - $0 >= Self.awayMilliseconds } ?? false
    }

    private mutating func arrived(isSame: Bool, at now: Int64) {
        let wasAway = wasAway(at: now), wasSeenToLeave = emptySince != nil && !isHidden
        (emptySince, isHidden) = (nil, false)
        switch phase {
        case .serving(let tries, let isNew, let isOther):
            phase = .serving(after: tries, isNew: isNew || wasAway, isOther: isOther || wasSeenToLeave && !isSame)
            return
        case .open: break
        // pcscd has seen it come, and started it anew.
        case .broken(let tries, _, _): phase = wasAway ? .open : .broken(after: tries, at: now, isRerun: false)
        case .spent, .due: if wasAway { phase = .open }
        }
        if wasAway { mayBeTheSame = false }
        guard case .spent(let isGivenUp) = phase, wasSeenToLeave, !isSame else { return }
        mayBeTheSame = true
        // Somebody at the edge of the field comes and goes: not as fast as they do.
        phase = isGivenUp ? .broken(after: Tries(), at: now + Self.longestMissPause, isRerun: true) : .open
    }
}
