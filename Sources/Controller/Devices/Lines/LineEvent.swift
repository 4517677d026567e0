/// Something that happened to an input.
public struct LineEvent: Hashable, Sendable {
    public enum Happening: Hashable, Sendable {
        /// Its level changed, and it was this from then on.
        case moved(active: Bool)
        /// Its level was read, at the beginning or when the line came back. Nobody saw what it was before.
        case found(active: Bool)
        /// It is this, after edges of which there were too many to be kept.
        case resumed(active: Bool)
        /// It cannot be read any more, or could not from the beginning.
        case lost
    }

    public let line: LineName
    public let happening: Happening
    /// When, by the monotonic clock.
    public let nanoseconds: Int64

    public init(_ line: LineName, _ happening: Happening, nanoseconds: Int64) {
        self.line = line
        self.happening = happening
        self.nanoseconds = nanoseconds
    }
}
