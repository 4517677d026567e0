/// After which records the chains go on in a new file, for the one before was set aside: what comes before them went with it.
public struct JournalContinuation: Hashable, Sendable {
    /// The record that says so.
    public let sequence: UInt64
    /// When, in UNIX milliseconds by the gate's clock.
    public let milliseconds: Int64
    /// The newest record of the main chain before.
    public let main: UInt64
    /// The same in the other chain; nil where the record does not say, as older programs wrote it.
    public let unproven: UInt64?
}
