/// What somebody with an antenna beside the reader would have seen.
public struct AirRecord: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        case fieldOn
        case fieldOff
        /// By the reader.
        case sent(AirFrame)
        /// By the phone.
        case answered(AirFrame)
    }

    /// By the chip's clock: nanoseconds from an arbitrary start. Of a frame: its end.
    public let time: Int64
    public let event: Event
}
