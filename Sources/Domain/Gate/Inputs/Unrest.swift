/// A run of edges between which a contact has never been calm. Pure; it works on the times of the edges, as `Debouncer` does.
struct Unrest: Hashable, Sendable {
    /// So many milliseconds without an edge are calm.
    let calm: Int64
    private var first: Instant?
    private var last: Instant?

    init(calm: Int64) { self.calm = calm }

    /// There was an edge. A time before the last one counts as the last one.
    mutating func receive(at time: Instant) {
        let time = max(time, last ?? time)
        if isOver(at: time) { first = time }
        last = time
    }

    /// When the contact will have been calm, if nothing moves; nil before the first edge.
    var end: Instant? { last.map { $0 + calm } }

    /// Whether the contact has been calm since its last edge.
    func isOver(at now: Instant) -> Bool { end.map { $0 <= now } ?? true }

    /// The last edge, where the run has lasted for so many milliseconds.
    func lasting(_ milliseconds: Int64) -> Instant? {
        guard let first, let last, last >= first + milliseconds else { return nil }
        return last
    }
}
