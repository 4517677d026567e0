import ReaderProtocol

/// Where the chip's thread is, for everybody to see.
struct PollingPosition: Hashable, Sendable {
    var phase = ReaderPhase.idle
    /// Since when the step has been under way, in monotonic milliseconds; nil while nothing is.
    var since: Int64?
    /// Cycles, and questions to a phone that is held, in which the chip did what it was told, and those in which it did not. Both begin
    /// anew at the greatest number.
    var cycles: UInt32 = 0
    var faults: UInt32 = 0

    /// As it is told at that time.
    func beat(at now: Int64) -> ReaderBeat {
        ReaderBeat(phase: phase, milliseconds: UInt16(clamping: since.map { now - $0 } ?? 0), cycles: cycles, faults: faults)
    }
}
