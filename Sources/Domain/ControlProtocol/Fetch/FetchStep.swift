/// What a report of the program means for the file that was asked for.
public enum FetchStep: Hashable, Sendable {
    /// Nothing; the program lives.
    case nothing
    /// The server has answered.
    case head(FetchHead)
    /// These bytes come next.
    case bytes([UInt8])
    /// It is over, and no bound was exceeded. Whether the file is the right one is for others to say.
    case end
}
