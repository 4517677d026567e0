/// Why a command had no answer.
public struct ExchangeFailure: Hashable, Sendable {
    public enum Cause: UInt8, Hashable, Sendable, CaseIterable {
        /// The phone has gone, or the exchange over the air broke.
        case gone = 0
        /// The phone is there and took too long.
        case timedOut = 1
        /// The chip failed.
        case chip = 2
    }

    public let presentation: UInt32
    public let cause: Cause
    /// What libnfc called it; 0 where it had no part in it.
    public let number: Int8

    public init(presentation: UInt32, cause: Cause, number: Int8 = 0) {
        self.presentation = presentation
        self.cause = cause
        self.number = number
    }

    init(_ fields: inout FrameFields) throws(ReaderFrameError) {
        try self.init(presentation: fields.long(), cause: fields.choice(Cause.self), number: Int8(bitPattern: fields.byte()))
    }

    func write(_ text: inout FrameText) {
        text.add(presentation)
        text.add(cause.rawValue)
        text.add(UInt8(bitPattern: number))
    }
}
