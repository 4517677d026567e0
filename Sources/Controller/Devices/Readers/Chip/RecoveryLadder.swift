/// Which step comes next to bring a reader back, and when (O5). Pure; times are monotonic milliseconds.
///
/// One step after the other, harsher each time, with growing pauses. What the harshest did not fix is tried again from the
/// second on, for ever: who knows when somebody plugs the cable in. A reader that has been well for a while begins at the bottom.
struct RecoveryLadder {
    /// What a fault may be fixed by.
    enum Need: Hashable, Sendable {
        /// The chip hangs or has lost its mind: any step may help.
        case chip
        /// The chip could not be opened: any step may help that does not need it open.
        case closedChip
        /// The device is not there, or not ours: all that can be done is to try again.
        case port
        /// The program that drives it is gone or cannot be believed: only a new one will do.
        case program
    }

    enum Step: Hashable {
        /// To be done now; `done` or the next fault tells how it went.
        case run(RecoveryRung)
        /// Nothing to do before that time (nil: before something happens).
        case wait(until: Int64?)
    }

    private enum Phase {
        /// The reader works, since then; nil before its first fault.
        case sound(since: Int64?)
        /// That step is taken at that time.
        case due(RecoveryRung, at: Int64)
        /// It is being taken.
        case running(RecoveryRung)
        /// It was taken; the reader must work by then.
        case proving(RecoveryRung, until: Int64)
    }

    /// Before the second step, and double that before each one that follows.
    static let firstPause: Int64 = 100
    /// No pause is longer.
    static let longestPause: Int64 = 1_000
    /// A reader that was well for so long begins at the bottom.
    static let calmMilliseconds: Int64 = 10_000

    /// The steps taken, since the gate started.
    private(set) var counts: RecoveryCounts
    private let rungs: [RecoveryRung]
    private var phase = Phase.sound(since: nil)
    /// Where in `rungs` the next fault of the chip finds its step.
    private var next = 0
    /// Steps since the bottom.
    private var tries = 0

    /// - Parameter counts: the steps that were taken before.
    init(_ means: RecoveryMeans = RecoveryMeans(), counts: RecoveryCounts = RecoveryCounts()) {
        rungs = means.rungs
        self.counts = counts
    }

    /// So long has a reader to show that a step has helped.
    static func patience(_ rung: RecoveryRung) -> Int64 {
        switch rung {
        case .abort: 500
        // A chip that is silent takes a driver 1.5 s to find so.
        case .reopen, .resetLine: 2_000
        // The kernel finds the device, and udev names it.
        case .reauthorise: 3_000
        // The old program ends, the new one starts and opens the chip.
        case .restart: 5_000
        }
    }

    /// The step that is due, being taken or on trial, and how many were begun; nil while the reader works.
    var climb: (rung: RecoveryRung, tries: Int)? {
        switch phase {
        case .sound: nil
        case .due(let rung, _), .running(let rung), .proving(let rung, _): (rung, tries)
        }
    }

    /// A step was taken, and has not had the time to show whether it has helped.
    var isProving: Bool {
        if case .proving = phase { true } else { false }
    }

    /// The reader has a fault. One that comes while a step is being taken or on trial says that the step has failed.
    mutating func fault(_ need: Need, at now: Int64) {
        switch phase {
        case .sound(let since):
            if since.map({ now - $0 >= Self.calmMilliseconds }) ?? true { (next, tries) = (0, 0) }
            climb(need, at: now)
        case .running, .proving: climb(need, at: now)
        // What is due asks the program for something.
        case .due(_, let time): if need == .program { phase = .due(advance(.program), at: time) }
        }
    }

    /// The reader works.
    mutating func healthy(at now: Int64) {
        switch phase {
        case .sound, .running: break
        case .due, .proving: phase = .sound(since: now)
        }
    }

    /// That step has been taken.
    mutating func done(_ rung: RecoveryRung, at now: Int64) {
        guard case .running(rung) = phase else { return }
        phase = .proving(rung, until: now + Self.patience(rung))
    }

    /// Somebody takes that step out of turn, because whose turn it is cannot do anything. False where the reader does not have it.
    mutating func startsOutOfTurn(_ rung: RecoveryRung) -> Bool {
        guard rungs.contains(rung) else { return false }
        tries += 1
        phase = .running(rung)
        counts.count(rung)
        return true
    }

    /// What is to be done now.
    mutating func step(at now: Int64) -> Step {
        if case .proving(_, let time) = phase, now >= time { climb(.chip, at: now) }
        switch phase {
        case .sound, .running: return .wait(until: nil)
        case .proving(_, let time): return .wait(until: time)
        case .due(let rung, let time):
            guard now >= time else { return .wait(until: time) }
            phase = .running(rung)
            counts.count(rung)
            return .run(rung)
        }
    }

    /// When `step` has something to do by itself; nil for never.
    var nextStep: Int64? {
        switch phase {
        case .sound, .running: nil
        case .due(_, let time), .proving(_, let time): time
        }
    }

    private mutating func climb(_ need: Need, at now: Int64) {
        let pause = tries == 0 ? 0 : min(Self.firstPause << Int64(min(tries - 1, 8)), Self.longestPause)
        tries += 1
        phase = .due(advance(need), at: now + pause)
    }

    /// The step for such a fault; the next one for the chip's is harsher.
    private mutating func advance(_ need: Need) -> RecoveryRung {
        switch need {
        case .program:
            next = afterRestart
            return .restart
        case .port: return .reopen
        case .closedChip:
            next = max(next, afterRestart)
            return advance(.chip)
        case .chip:
            let rung = rungs[next]
            next = next + 1 < rungs.count ? next + 1 : afterRestart
            return rung
        }
    }

    /// A program that has just started has no call to leave: what comes next is to open the chip anew.
    private var afterRestart: Int { 1 }
}
