/// When the next synchronisation begins (S1, S3). Pure: times are monotonic milliseconds that whoever asks brings along, as well as random numbers.
///
/// One run at a time. Who asks while one goes on is served by one more, however many ask: what is published may have changed since it began.
///
/// A folder that somebody brings, such as a stick, is a run of its own: the next one after that which goes on, or after those that wait already (S6).
/// Turns are fair: between two folders the server is asked, if it is due. Else whoever may import could keep the gate from every revocation.
package struct SyncPlan: Equatable, Sendable {
    /// Why a run begins.
    package enum Cause: String, Equatable, Sendable, CaseIterable {
        /// The gate has started.
        case start
        /// The period is over.
        case period
        /// The last run failed.
        case retry
        /// Somebody asked for it.
        case asked
        /// There is a network again.
        case network
        /// The gate has no site data, or has lost them.
        case noData = "no-data"
        /// One that gave way goes on.
        case resume
        /// Somebody brought a folder.
        case folder
    }

    /// A run that begins.
    package struct Run: Equatable, Sendable {
        /// Counts the runs since the start, from 1: those of a server, and those of folders apart from them.
        let number: UInt64
        /// Why it begins.
        let cause: Cause
    }

    /// When the server is asked next, and why.
    struct Turn: Equatable, Sendable {
        var due: Int64
        var cause: Cause
    }

    /// What the plan is in. A turn is nil where there is no server.
    enum Stage: Equatable, Sendable {
        /// No run goes on.
        case waiting(Turn?)
        /// The server is asked, and at the end another run is wanted or none.
        case running(again: Cause?)
        /// A folder is read. The server's turn comes afterwards.
        case visiting(Turn?)
    }

    /// Milliseconds between the end of one run and the beginning of the next at least, whoever wants it.
    static let pause: Int64 = 1000
    /// Milliseconds that one waits after the first failure at most; twice that after the second, and so on up to the period.
    static let firstRetry: Int64 = 30_000
    /// Milliseconds between two runs that a network's return brings about: one that comes and goes is no reason to ask all the time.
    static let networkPause: Int64 = 60_000

    /// Milliseconds that a run of the server has before it gives way; twice that after each time that nothing was left to go on with.
    static let leastStretch: Int64 = 10_000
    /// Milliseconds for which the server's turn waits for a folder, unless the server did not answer last time.
    static let folderPatience: Int64 = 10 * 60_000
    /// So many folders wait at most.
    static let mostFolders: UInt64 = 4

    private(set) var stage: Stage
    /// Runs of the server begun.
    private(set) var begun: UInt64 = 0
    /// Runs of folders begun.
    private(set) var visits: UInt64 = 0
    /// Runs of the server in a row that failed, up to the last one that ended.
    private(set) var failures = 0
    /// Folders that were brought, and whose runs have not begun.
    private var waitingFolders: UInt64 = 0
    /// The run that ended last was that of a folder.
    private var wasFolder = false
    /// When the run of the server began that goes on.
    private var runBegan: Int64 = 0
    /// The last run of the server gave way.
    private var hasGivenWay = false
    /// So often in a row nothing was left of what was fetched when the run went on.
    private var setbacks = 0
    /// Milliseconds between runs, give or take a tenth.
    private var period: Int64
    private var lastEnd: Int64?
    private var lastByNetwork: Int64?

    /// A gate starts.
    /// - Parameters:
    ///   - period: milliseconds between runs.
    ///   - hasData: a gate without site data does not wait.
    ///   - spread: gates that start together, as after a power cut, are spread over so many milliseconds.
    ///   - random: any number.
    package init(period: Int64, hasData: Bool, spread: Int64, at now: Int64, random: UInt64) {
        self.period = max(1, period)
        stage = .waiting(hasData ? Turn(due: now + Self.below(max(0, spread) + 1, random), cause: .start) : Turn(due: now, cause: .noData))
    }

    /// A gate that lives from folders alone.
    package init() {
        period = 1
        stage = .waiting(nil)
    }

    // Looking ------------------------------------------------------------------------------------

    /// When the next run begins; nil while one goes on, and where nothing begins by itself.
    var due: Int64? {
        guard case .waiting(let turn) = stage else { return nil }
        return waitingFolders > 0 ? min(turn?.due ?? .max, lastEnd.map { $0 + Self.pause } ?? 0) : turn?.due
    }

    /// When the server is asked next; nil while it is.
    var serverDue: Int64? {
        switch stage {
        case .waiting(let turn), .visiting(let turn): turn?.due
        case .running: nil
        }
    }

    /// Whether a network that is back is worth a run.
    var awaitsNetwork: Bool { if case .waiting(.some) = stage { failures > 0 } else { false } }

    /// Whether the run that goes on gives way, while it fetches: to a folder that waits, to who has asked, to the next look at
    /// what is published, which a file that takes a day must not hold up. A folder gives way to a server that has waited for long.
    func givesWay(at now: Int64) -> Bool {
        switch stage {
        case .waiting: false
        case .visiting(let turn): failures == 0 && now - (turn?.due ?? now) >= Self.folderPatience
        case .running(let again):
            now - runBegan >= stretch && (waitingFolders > 0 || again != nil || now - runBegan >= period)
        }
    }

    private var stretch: Int64 { Self.leastStretch << min(setbacks, 12) }

    /// The newest number that a folder was given.
    var lastVisit: UInt64 { visits + waitingFolders }

    // Requests -------------------------------------------------------------------------------------

    /// Somebody wants a run. Answers the number of the one that serves him: the first that begins from now on.
    package mutating func ask(at now: Int64) -> UInt64 {
        want(.asked, at: now)
        return begun + 1
    }

    /// Somebody has brought a folder. Answers the number of its run; nil where too many wait already.
    package mutating func visit() -> UInt64? {
        guard waitingFolders < Self.mostFolders else { return nil }
        waitingFolders += 1
        return lastVisit
    }

    /// The site data are gone: they were damaged and set aside.
    mutating func dataLost(at now: Int64) { want(.noData, at: now) }

    /// There is a network again, or another one. Only after a failure that says anything.
    mutating func networkReturned(at now: Int64) {
        guard awaitsNetwork else { return }
        if let last = lastByNetwork, now - last < Self.networkPause { return }
        lastByNetwork = now
        want(.network, at: now)
    }

    /// Other settings: a shorter period counts from now on, a longer one after the next run.
    package mutating func adopt(period: Int64, at now: Int64, random: UInt64) {
        self.period = max(1, period)
        let next = later(now + jittered(random))
        changeTurn { $0.due = min($0.due, next) }
    }

    private mutating func want(_ cause: Cause, at now: Int64) {
        if case .running(let again) = stage {
            stage = .running(again: again ?? cause)
            return
        }
        let next = later(now)
        changeTurn { if next < $0.due { $0 = Turn(due: next, cause: cause) } }
    }

    /// While no run of the server goes on.
    private mutating func changeTurn(_ change: (inout Turn) -> Void) {
        switch stage {
        case .waiting(.some(var turn)):
            change(&turn)
            stage = .waiting(turn)
        case .visiting(.some(var turn)):
            change(&turn)
            stage = .visiting(turn)
        case .waiting(.none), .visiting(.none), .running: break
        }
    }

    // Runs ---------------------------------------------------------------------------------------

    /// The run that is due; nil while one goes on, or none is due yet.
    package mutating func begin(at now: Int64) -> Run? {
        guard case .waiting(let turn) = stage, let due, due <= now else { return nil }
        let isServersTurn = wasFolder && (turn?.due ?? .max) <= now
        if waitingFolders > 0, !isServersTurn {
            waitingFolders -= 1
            stage = .visiting(turn)
            visits += 1
            return Run(number: visits, cause: .folder)
        }
        guard let turn else { return nil }
        stage = .running(again: nil)
        runBegan = now
        begun += 1
        return Run(number: begun, cause: turn.cause)
    }

    /// The run that went on has ended.
    /// - Parameter succeeded: all that is published is in use.
    mutating func ended(succeeded: Bool, at now: Int64, random: UInt64) {
        switch stage {
        case .waiting: return
        case .visiting(let turn):
            wasFolder = true
            stage = .waiting(turn.map { Turn(due: max($0.due, now + Self.pause), cause: $0.cause) })
        case .running(let again):
            wasFolder = false
            hasGivenWay = false
            setbacks = 0
            failures = succeeded ? 0 : failures + 1
            stage = .waiting(turn(after: again, succeeded: succeeded, at: now, random))
        }
        lastEnd = now
    }

    /// The run of the server that went on has given way.
    /// - Parameter isResumed: what it fetched had gone on where the run before it had left it. A server that sends every file from its beginning, or an office
    ///   that publishes faster than the line carries, would else keep it from its end for ever.
    mutating func gaveWay(isResumed: Bool, at now: Int64) {
        guard case .running(let again) = stage else { return }
        setbacks = hasGivenWay && !isResumed ? setbacks + 1 : 0
        hasGivenWay = true
        wasFolder = false
        stage = .waiting(Turn(due: now + Self.pause, cause: again ?? .resume))
        lastEnd = now
    }

    private func turn(after again: Cause?, succeeded: Bool, at now: Int64, _ random: UInt64) -> Turn {
        if let again { return Turn(due: now + Self.pause, cause: again) }
        if succeeded { return Turn(due: max(now + jittered(random), now + Self.pause), cause: .period) }
        return Turn(due: now + Self.pause + Self.below(longestRetry + 1, random), cause: .retry)
    }

    /// All of it is left to chance ("full jitter"): gates whose server failed come back one by one.
    private var longestRetry: Int64 {
        let doublings = min(failures - 1, 16)
        return min(period, Self.firstRetry << doublings)
    }

    /// The period, less or more up to a tenth.
    private func jittered(_ random: UInt64) -> Int64 {
        let tenth = period / 10
        return period - tenth + Self.below(2 * tenth + 1, random)
    }

    private func later(_ time: Int64) -> Int64 { max(time, lastEnd.map { $0 + Self.pause } ?? time) }

    private static func below(_ bound: Int64, _ random: UInt64) -> Int64 { Int64(random % UInt64(bound)) }
}
