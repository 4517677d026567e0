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

    /// The first root of the site's repository; nil on a stand-alone gate.
    public var root: String? {
        if case .repository(let path) = source { path } else { nil }
    }

    /// The site's file of a stand-alone gate; nil where an authority signs.
    public var siteFile: String? {
        if case .siteFile(let path) = source { path } else { nil }
    }
}

/// Whose records of people a gate keeps.
public enum KeptSiteData: String, Sendable, CaseIterable {
    /// Everybody's.
    case all
    /// Those that concern a zone of its lanes, or the whole site.
    case ownZones = "own-zones"
}

/// Where a gate has its site data from: people, rules, zones, schedules. One of the two, never both.
public enum SiteDataSource: Hashable, Sendable {
    /// From the repository that begins with this `root.json`, by synchronisation or in folders that somebody brings.
    case repository(root: String)
    /// From this file, which an installer edits: a stand-alone gate.
    case siteFile(String)
}
