/// `[trust]`
public struct TrustSettings: Hashable, Sendable {
    /// Where the site data come from.
    public var source: SiteDataSource
    /// Whose records of people are kept, of those that come by synchronisation.
    public var keep: KeptSiteData
    /// Site data older than this is a warning. Hours.
    public var warnAfterHours: Int
    /// Site data older than this refuses tokens (`trust-data-stale`). Days.
    public var refuseAfterDays: Int
    /// So many tokens are kept, so that their phones may name them instead of showing them; 0: none.
    public var tokenCache: Int

    public init(source: SiteDataSource, keep: KeptSiteData = .all, warnAfterHours: Int, refuseAfterDays: Int, tokenCache: Int) {
        self.source = source
        self.keep = keep
        self.warnAfterHours = warnAfterHours
        self.refuseAfterDays = refuseAfterDays
        self.tokenCache = tokenCache
    }

    /// File of the site's public key; nil on a stand-alone gate.
    public var siteKey: String? {
        if case .publications(let path) = source { path } else { nil }
    }

    /// The first root of the site's repository; nil where there is none.
    public var root: String? {
        if case .repository(let path) = source { path } else { nil }
    }

    /// The site's file of a stand-alone gate; nil where an authority signs.
    public var siteFile: String? {
        if case .siteFile(let path) = source { path } else { nil }
    }
}
