/// `[trust]`
public struct TrustSettings: Hashable, Sendable {
    /// File of the site's public key, which signs what `tapstile import` takes.
    public var siteKey: String
    /// Site data older than this is a warning. Hours.
    public var warnAfterHours: Int
    /// Site data older than this refuses tokens (`trust-data-stale`). Days.
    public var refuseAfterDays: Int
    /// So many tokens are kept, so that their phones may name them instead of showing them; 0: none.
    public var tokenCache: Int

    public init(siteKey: String, warnAfterHours: Int, refuseAfterDays: Int, tokenCache: Int) {
        self.siteKey = siteKey
        self.warnAfterHours = warnAfterHours
        self.refuseAfterDays = refuseAfterDays
        self.tokenCache = tokenCache
    }
}
