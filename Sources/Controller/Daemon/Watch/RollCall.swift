import Threads

/// Decides whether the watchdog is fed: it is told what every loop is in and what time it is, again and
/// again, and answers what is to be done. Pure.
struct RollCall {
    /// What follows from one look at all loops. Times are monotonic milliseconds.
    enum Answer: Equatable {
        /// Every loop goes on.
        case feed
        /// This loop hangs. The watchdog is not fed; the log has until the next look to say why.
        case warn(Hang)
        /// It still does: the gate is to be killed and started again.
        case end(Hang)
    }

    /// A loop that hangs.
    struct Hang: Equatable {
        let loop: String
        /// What it does not do: `does not come round`.
        let why: String
        let milliseconds: Int64

        /// A sentence for people.
        var message: String {
            "\(loop) \(why), since \(milliseconds) ms: the gate is to be killed, its lines put at their safe level, and started again."
        }
    }

    /// A loop whose outside call takes too long, or no longer does.
    enum News: Equatable {
        case delayed(LoopDelay)
        case goesOn(loop: String)
    }

    private enum Stage: Equatable {
        case healthy
        case warned(loop: String)
    }

    /// Milliseconds between two looks.
    let interval: Int64
    private let limit: Int64
    private var stage = Stage.healthy
    private var last: Int64?
    private var amnesty = Int64.min
    private var delayed: Set<String> = []

    /// - Parameter limit: milliseconds within which a loop comes round.
    init(limit: Int64) {
        self.limit = limit
        interval = max(1, limit / 5)
    }

    /// What every loop is in at `now`.
    mutating func look(at loops: [(name: String, state: LoopState)], _ now: Int64) -> (answer: Answer, news: [News]) {
        forgive(now)
        let verdicts = loops.map { ($0.name, $0.state.verdict(at: now, limit: limit, amnesty: amnesty)) }
        return (answer(verdicts), news(verdicts))
    }

    /// When the looks themselves come late, the whole process did not run (stopped, or a machine without a
    /// breath to spare): no loop is to blame for that time.
    private mutating func forgive(_ now: Int64) {
        if let last, now - last > interval * 3 { amnesty = now }
        last = now
    }

    private mutating func answer(_ verdicts: [(String, LoopVerdict)]) -> Answer {
        let hangs = verdicts.compactMap { name, verdict -> Hang? in
            guard case .stuck(let why, let milliseconds) = verdict else { return nil }
            return Hang(loop: name, why: why, milliseconds: milliseconds)
        }
        guard let worst = hangs.max(by: { $0.milliseconds < $1.milliseconds }) else {
            stage = .healthy
            return .feed
        }
        switch stage {
        case .healthy:
            stage = .warned(loop: worst.loop)
            return .warn(worst)
        case .warned(let loop):
            return .end(hangs.first { $0.loop == loop } ?? worst)
        }
    }

    private mutating func news(_ verdicts: [(String, LoopVerdict)]) -> [News] {
        let delays = verdicts.compactMap { LoopDelay(loop: $0, $1) }
        let names = Set(delays.map(\.loop))
        let begun = delays.filter { !delayed.contains($0.loop) }.map { News.delayed($0) }
        let over = delayed.subtracting(names).sorted().map { News.goesOn(loop: $0) }
        delayed = names
        return begun + over
    }
}
