/// Every loop of a program: threads that go round as long as it serves. Whoever watches over them looks here.
public final class Loops: Sendable {
    /// Milliseconds within which our own code comes round.
    public let limit: Int64
    private let onRound: (@Sendable (String) -> Void)?
    private let loops = Mutex<[ObjectIdentifier: Loop]>([:])

    /// - Parameters:
    ///   - limit: milliseconds within which our own code comes round.
    ///   - onRound: called by every loop on its own thread each time that it comes round or wakes, with its name.
    ///     For tests: who does not return hangs the loop.
    public init(limit: Int64 = 1250, onRound: (@Sendable (String) -> Void)? = nil) {
        self.limit = limit
        self.onRound = onRound
    }

    /// What every loop is in, by name.
    public var states: [(name: String, state: LoopState)] {
        loops.withLock { Array($0.values) }.map { ($0.name, $0.state) }.sorted { $0.name < $1.name }
    }

    /// Twice within the limit a loop that waits says so.
    func add(_ name: String) -> Loop {
        let loop = Loop(name: name, round: max(1, limit / 2), onRound: onRound)
        loops.withLock { $0[ObjectIdentifier(loop)] = loop }
        return loop
    }

    func remove(_ loop: Loop) {
        loops.withLock { $0[ObjectIdentifier(loop)] = nil }
    }
}
