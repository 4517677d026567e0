import Gate

/// A law that a lane has broken.
public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    /// Which law, in a few words.
    public let law: String
    /// What was seen.
    public let detail: String

    public var description: String { "\(law): \(detail)" }
}
