import TrustSync

/// A publication that was written.
public struct ExportedPublication: Sendable {
    /// Its version: above that of every publication begun before.
    public let version: UInt64
    /// When it was made, UNIX seconds.
    public let issuedAt: Int64
    /// The first second at which gates do not take it any more, UNIX time.
    public let expiresAt: Int64
    /// What is in it.
    public let counts: PublicationCounts
    /// Length of the whole file.
    public let byteCount: Int
    /// What of people is more than the site allows, and is not in it.
    public let heldBack: [HeldBack]
}
