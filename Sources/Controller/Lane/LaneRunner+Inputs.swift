import Gate

extension LaneRunner {
    /// An input of the lane has changed, debounced, at `now`. Does not wait for lines: the lane's timekeeper writes them, so
    /// that a chip that takes long holds up its own lane and no other's inputs.
    func input(_ change: InputChange, at now: Instant) {
        guard !noteInTest(change) else { return }
        post { $0.input(change, at: now) }
    }

    /// A phone is being talked to.
    func beginReading(at now: Instant) {
        post { $0.beginReading(at: now) }
    }

    /// The talk is over.
    func endReading(at now: Instant) {
        post { $0.endReading(at: now) }
    }
}
