import ReaderProtocol

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

/// One thing to do with the chip, or a wait.
enum PollingStep: Hashable, Sendable {
    /// Nothing before that time, in monotonic milliseconds, or before the gate says something; nil: not before the gate does.
    case wait(until: Int64?)
    /// Close the chip where it is open, and open it.
    case open
    /// Switch the antenna.
    case field(Bool)
    /// So long the chip waits for phones from now on.
    case patience(AirPatience)
    /// The next frame has whole bytes and a checksum.
    case wholeFrames
    /// Say who we are; nobody answers.
    case announce([UInt8])
    /// Ask who is there, once.
    case find
    /// Agree on a bit rate with the phone that was found.
    case agree(ReaderBitRate)
    /// A command APDU to the phone.
    case exchange([UInt8], AirPatience)
    /// Whether the phone is still there.
    case ask
}
