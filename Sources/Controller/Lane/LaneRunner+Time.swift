import Gate
import Lines

extension LaneRunner {
    /// Time has come to `now`.
    func advance(to now: Instant) {
        settle { $0.advance(to: now) }
    }

    /// Ends a running pulse at once: the gate stops.
    func rest() {
        settle { $0.stop() }
    }

    /// The next instant at which `advance` has something to do.
    var nextChange: Instant? {
        ask { $0.nextChange }
    }

    /// When lines that failed are to be tried again; nil while all work.
    var nextProbe: Instant? {
        outputs.withLock { $0.probe }
    }

    /// From the next run on, other rules hold; what runs is untouched.
    func adopt(_ rules: LaneRules) {
        settle { $0.adopt(rules) }
    }
}
