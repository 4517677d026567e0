/// Where the site data in use come from.
public enum SiteDataOrigin: Int64, Sendable {
    /// From a single file that the site's key signed, which programs before the first release took: no gate is told to go by it any more. Written into the database:
    /// never renumbered.
    case publication = 0
    /// From the site's own file on a stand-alone gate, which nobody signed.
    case siteFile = 1
    /// From the bundles of a repository that the site's roles signed.
    case repository = 2
}
