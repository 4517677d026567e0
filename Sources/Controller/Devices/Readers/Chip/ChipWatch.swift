import ReaderProtocol

/// Finds a chip, or a program that drives one, which has gone silent or lost its mind, by what the program says and when it says it (O5).
/// Pure; times are monotonic milliseconds. One of these lives as long as a connection.
///
/// The program tells what it does and for how long, and none of that is believed where our own clock knows better.
struct ChipWatch {
    /// A sign of life must come so soon after the one before; they come every 250 ms.
    static let silenceMilliseconds: Int64 = 1_000
    /// The first one: systemd starts the program for us.
    static let startMilliseconds: Int64 = 3_000
    /// A cycle takes no longer.
    static let stepMilliseconds: Int64 = 1_500
    /// Nor does opening the chip. One that is silent from the start takes libnfc 1.47 s to find so.
    static let openingMilliseconds: Int64 = 2_000
    /// A command is answered so long after the phone's own time is over.
    static let exchangeSlack: Int64 = 500
    /// So many failures in a row are no accident.
    static let mostFailures = 3
    /// What the program says without being asked, in a second.
    static let mostReports = 64

    private let exchangeMilliseconds: Int64
    /// A sign of life must have come by then.
    private var aliveUntil: Int64
    /// Something came to an end then, as far as we can tell: a cycle, an order, a report.
    private var movedAt: Int64
    /// The step that the last beat told of began then.
    private var stepSince: Int64?
    private var beat: ReaderBeat?
    /// The chip is being opened, as far as we were told.
    private var isOpening = false
    /// A command has been with the program since then.
    private var commandSince: Int64?
    /// Of cycles, and of exchanges: a chip that polls well may fail in each exchange.
    private var failedCycles = 0
    private var failedExchanges = 0
    private var reports = 0
    private var reportsSince: Int64

    init(_ setup: ReaderSetup, now: Int64) {
        exchangeMilliseconds = Int64(setup.exchangeMilliseconds)
        aliveUntil = now + Self.startMilliseconds
        movedAt = now
        reportsSince = now
    }

    // What happens ------------------------------------------------------------------------------

    /// The gate has told the program something.
    mutating func notified(now: Int64) {
        movedAt = now
        stepSince = nil
    }

    /// The gate has told it to do something about the chip: what went wrong before counts no more.
    mutating func startsAnew(now: Int64) {
        notified(now: now)
        givesUp()
        (failedCycles, failedExchanges) = (0, 0)
    }

    /// Nobody waits for the answer to a command any more.
    mutating func givesUp() { commandSince = nil }

    /// The gate has given it a command.
    mutating func asked(now: Int64) {
        notified(now: now)
        commandSince = now
    }

    /// The command has its answer.
    mutating func answered(byChip: Bool, now: Int64) -> ChipFault? {
        commandSince = nil
        movedAt = now
        failedExchanges = byChip ? 0 : failedExchanges + 1
        return fault
    }

    /// The program has said something that nobody asked for.
    mutating func handle(_ report: ReaderReport, now: Int64) -> ChipFault? {
        guard isBearable(now) else { return .programBabbles }
        if case .beat(let beat) = report {
            apply(beat, now)
        } else {
            movedAt = now
            stepSince = nil
            // Whatever it is, it comes of something that went well; the beat that counts it is still to come.
            failedCycles = 0
            if case .state(let state) = report { isOpening = state == .opening }
        }
        return fault
    }

    /// Whether the chip has done something between the last two beats.
    private(set) var isAtWork = false

    private var fault: ChipFault? { max(failedCycles, failedExchanges) >= Self.mostFailures ? .chipFails : nil }

    private mutating func apply(_ new: ReaderBeat, _ now: Int64) {
        aliveUntil = now + Self.silenceMilliseconds
        isAtWork = beat.map { $0.cycles != new.cycles } ?? false
        if isAtWork || beat?.phase != new.phase { movedAt = now }
        let more = new.faults &- (beat?.faults ?? new.faults)
        failedCycles = isAtWork ? 0 : failedCycles + Int(min(more, 100))
        stepSince = Self.hasAnEnd(new.phase) ? now - Int64(new.milliseconds) : nil
        beat = new
        isOpening = new.phase == .opening
    }

    /// Whether what is done in a phase depends on nobody but the chip.
    private static func hasAnEnd(_ phase: ReaderPhase) -> Bool {
        switch phase {
        case .polling, .holding, .opening: true
        case .idle, .exchanging: false
        }
    }

    private mutating func isBearable(_ now: Int64) -> Bool {
        let seconds = (now - reportsSince) / 1_000
        // We may have been away ourselves: what was said meanwhile comes at once.
        if seconds >= 1 {
            reportsSince = now
            reports = -Int(min(seconds - 1, 3_600)) * Self.mostReports
        }
        reports += 1
        return reports <= Self.mostReports
    }

    // What is late ------------------------------------------------------------------------------

    /// What is wrong by now.
    /// - Parameter waits: the program has a reason to do nothing: the gate has the phone, or is about to bring the chip back.
    func late(at now: Int64, whileItWaits waits: Bool) -> ChipFault? {
        if now >= aliveUntil { return .programSilent }
        if let time = commandUntil, now >= time { return .chipSilent }
        if let time = stepUntil(whileItWaits: waits), now >= time { return .chipSilent }
        return nil
    }

    /// When `late` may have something to say.
    func next(whileItWaits waits: Bool) -> Int64 {
        [aliveUntil, commandUntil, stepUntil(whileItWaits: waits)].compactMap(\.self).min() ?? aliveUntil
    }

    private var commandUntil: Int64? {
        commandSince.map { $0 + exchangeMilliseconds + Self.exchangeSlack }
    }

    /// Before its first sign of life a program has not begun, and with a command it has other things to do.
    private func stepUntil(whileItWaits waits: Bool) -> Int64? {
        guard beat != nil, !waits, commandSince == nil else { return nil }
        return min(movedAt, stepSince ?? .max) + (isOpening ? Self.openingMilliseconds : Self.stepMilliseconds)
    }
}
