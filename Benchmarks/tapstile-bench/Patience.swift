import Threads

/// How long the benchmark waits for what must come: nothing that works takes so long, and no loop goes on for ever.
enum Patience {
    /// For a tap, a state, a program's start or end, in nanoseconds.
    static let step: Int64 = 60_000_000_000
    /// For site data of the whole site, and for a run of the back office, in nanoseconds.
    static let whole: Int64 = 900_000_000_000
}

extension Monitor {
    /// `wait`, but not for ever.
    /// - Parameter what: what is waited for, for somebody who reads why nothing was measured.
    func wait<Found>(for what: String, _ body: (inout State) -> Found?) throws(BenchError) -> Found {
        if let found = wait(untilNanoseconds: Clock.now + Patience.step, body) { return found }
        throw BenchError("waited \(Patience.step / 1_000_000_000) s in vain for \(what); there was \(withLock { "\($0)" }.prefix(300))")
    }
}
