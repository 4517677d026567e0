/// When the next synchronisation begins (S1, S3). Pure: times are monotonic milliseconds that whoever asks brings along, as well as random numbers.
///
/// One run at a time. Who asks while one goes on is served by one more, however many ask: what is published may have changed since it began.
struct SyncPlan: Equatable, Sendable {
    /// Why a run begins.
    enum Cause: String, Equatable, Sendable, CaseIterable {
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
    }

    /// A run that begins.
    struct Run: Equatable, Sendable {
        /// Counts the runs since the start, from 1.
        let number: UInt64
        /// Why it begins.
        let cause: Cause
    }

    /// What the plan is in.
    enum Stage: Equatable, Sendable {
        /// No run goes on. The next one is due then.
        case waiting(due: Int64, Cause)
        /// A run goes on, and at its end another one is wanted or none.
        case running(again: Cause?)
    }

    /// Gates that start together, as after a power cut, are spread over so many milliseconds.
    static let startSpread: Int64 = 30_000
    /// Milliseconds between the end of one run and the beginning of the next at least, whoever wants it.
    static let pause: Int64 = 1000
    /// Milliseconds that one waits after the first failure at most; twice that after the second, and so on up to the period.
    static let firstRetry: Int64 = 30_000
    /// Milliseconds between two runs that a network's return brings about: one that comes and goes is no reason to ask all the time.
    static let networkPause: Int64 = 60_000

    private(set) var stage: Stage
    /// Runs begun.
    private(set) var begun: UInt64 = 0
    /// Runs in a row that failed, up to the last one that ended.
    private(set) var failures = 0
    /// Milliseconds between runs, give or take a tenth.
    private var period: Int64
    private var lastEnd: Int64?
    private var lastByNetwork: Int64?

    /// A gate starts.
    /// - Parameters:
    ///   - period: milliseconds between runs.
    ///   - hasData: a gate without site data does not wait.
    ///   - random: any number.
    init(period: Int64, hasData: Bool, at now: Int64, random: UInt64) {
        self.period = max(1, period)
        stage = hasData ? .waiting(due: now + Self.below(Self.startSpread + 1, random), .start) : .waiting(due: now, .noData)
    }

    // Looking ------------------------------------------------------------------------------------

    /// When the next run begins; nil while one goes on.
    var due: Int64? { if case .waiting(let due, _) = stage { due } else { nil } }

    /// Whether a network that is back is worth a run.
    var awaitsNetwork: Bool { due != nil && failures > 0 }

    // Wishes -------------------------------------------------------------------------------------

    /// Somebody wants a run. Answers the number of the one that serves him: the first that begins from now on.
    mutating func ask(at now: Int64) -> UInt64 {
        want(.asked, at: now)
        return begun + 1
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
    mutating func adopt(period: Int64, at now: Int64, random: UInt64) {
        self.period = max(1, period)
        guard case .waiting(let due, let cause) = stage else { return }
        stage = .waiting(due: min(due, later(now + jittered(random))), cause)
    }

    private mutating func want(_ cause: Cause, at now: Int64) {
        switch stage {
        case .running(let again): stage = .running(again: again ?? cause)
        case .waiting(let due, _):
            let next = later(now)
            if next < due { stage = .waiting(due: next, cause) }
        }
    }

    // Runs ---------------------------------------------------------------------------------------

    /// The run that is due; nil while one goes on, or none is due yet.
    mutating func begin(at now: Int64) -> Run? {
        guard case .waiting(let due, let cause) = stage, due <= now else { return nil }
        stage = .running(again: nil)
        begun += 1
        return Run(number: begun, cause: cause)
    }

    /// The run that went on has ended.
    /// - Parameter succeeded: all that is published is in use.
    mutating func ended(succeeded: Bool, at now: Int64, random: UInt64) {
        guard case .running(let again) = stage else { return }
        lastEnd = now
        failures = succeeded ? 0 : failures + 1
        if let again {
            stage = .waiting(due: now + Self.pause, again)
        } else if succeeded {
            stage = .waiting(due: later(now + jittered(random)), .period)
        } else {
            stage = .waiting(due: now + Self.pause + Self.below(longestRetry + 1, random), .retry)
        }
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
