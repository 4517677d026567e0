/// Where a gate has its site data from: people, rules, zones, schedules. One of the three, never two.
public enum SiteDataSource: Hashable, Sendable {
    /// From publications that an authority signed; this file has the public key of the site.
    case publications(siteKey: String)
    /// From the repository that begins with this `root.json`, by synchronisation.
    case repository(root: String)
    /// From this file, which an installer edits: a stand-alone gate.
    case siteFile(String)
}
