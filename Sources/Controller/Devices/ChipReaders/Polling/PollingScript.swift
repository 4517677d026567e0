/// Steps to be done one after the other, with pauses between them.
struct PollingScript: Hashable, Sendable {
    enum Line: Hashable, Sendable {
        case step(PollingStep)
        /// So many milliseconds from when it is reached.
        case pause(Int64)
    }

    private var lines: ArraySlice<Line>
    /// The end of the pause that was reached.
    private var pauseEnd: Int64?

    init(_ lines: [Line] = []) { self.lines = lines[...] }

    /// What to do at that time; nil: nothing is left.
    mutating func next(at now: Int64) -> PollingStep? {
        while let line = lines.first {
            switch line {
            case .step(let step): return step
            case .pause(let milliseconds):
                let end = pauseEnd ?? now + milliseconds
                pauseEnd = end
                if now < end { return .wait(until: end) }
                pauseEnd = nil
                lines.removeFirst()
            }
        }
        return nil
    }

    /// The step that `next` named last was done. True when nothing is left.
    mutating func advance() -> Bool {
        _ = lines.popFirst()
        return lines.isEmpty
    }
}
