/// Where the site data in use come from.
public enum SiteDataOrigin: Int64, Sendable {
    /// From a publication that the site signed. Written into the database: never renumbered.
    case publication = 0
    /// From the site's own file on a stand-alone gate, which nobody signed.
    case siteFile = 1
    /// From the bundles of a repository that the site's roles signed.
    case repository = 2
}
