/// A sign of life, four times a second.
public struct ReaderBeat: Hashable, Sendable {
    /// So often it is given, in milliseconds.
    public static let everyMilliseconds: Int64 = 250

    public let phase: ReaderPhase
    /// So long the step has taken that is under way: this cycle, this question whether a phone is there, this command. 65,535
    /// stands for anything longer.
    public let milliseconds: UInt16
    /// Cycles, and questions to a phone that is held, in which the chip did what it was told. Begins anew at the greatest number.
    public let cycles: UInt32
    /// Those in which it did not. Likewise.
    public let faults: UInt32

    public init(phase: ReaderPhase, milliseconds: UInt16, cycles: UInt32, faults: UInt32) {
        self.phase = phase
        self.milliseconds = milliseconds
        self.cycles = cycles
        self.faults = faults
    }

    init(_ fields: inout FrameFields) throws(ReaderFrameError) {
        try self.init(phase: fields.choice(ReaderPhase.self), milliseconds: fields.word(), cycles: fields.long(), faults: fields.long())
    }

    func write(_ text: inout FrameText) {
        text.add(phase.rawValue)
        text.add(milliseconds)
        text.add(cycles)
        text.add(faults)
    }
}
