/// The signed publication of a site in one file, format 1, as offices before the first release made it, and what all site data are bounded by:
///
/// 1. one COSE_Sign1 (RFC 9052), untagged, signed by the site key, whose payload is the manifest:
///    site, version, times, and length, SHA-256 and counts of the body;
/// 2. the body: a CBOR sequence (RFC 8742) of records, so that a million of them pass through a gate
///    without ever being in memory together.
///
/// Everything is deterministic CBOR.
public enum SitePublication {
    /// The format that this version reads.
    public static let format: UInt64 = 1
    /// What the protected header says about the payload, so that a signature of the site key for a
    /// publication is never one for something else.
    static let contentType = "application/tapstile-publication"
    /// The longest signed manifest in bytes.
    public static let longestManifest = 1024
    /// The longest record in bytes.
    public static let longestRecord = 65_536
    /// The most bytes that all rules together may have, memberships aside: gates hold them in memory.
    public static let longestRules = 1 << 20
    /// How far `issued` may lie in the future of a clock that is believed, in seconds: by so much two clocks may differ that are both right enough.
    public static let longestIssuedAhead: Int64 = 600
    /// The latest time a publication can name: the last second of the year 9999, the last that RFC 3339
    /// can write. UNIX seconds.
    public static let latestTime: Int64 = 253_402_300_799
}
