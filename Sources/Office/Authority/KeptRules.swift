/// What the authority holds of a site's rules.
public struct KeptRules: Sendable {
    /// The file, as it was when it was taken.
    public let text: [UInt8]
    /// When that was, UNIX seconds.
    public let keptAt: Int64
}
