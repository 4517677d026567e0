import Configuration
import SiteFile

/// The site's own file on a gate without an authority.
struct OwnSiteFile: Sendable {
    /// Where it lies.
    let path: String
    /// The gate's site.
    let site: String
    private let context: SiteFileContext

    /// Nil where an authority signs the site data.
    init?(_ configuration: GateConfiguration) {
        guard let path = configuration.trust.siteFile else { return nil }
        self.path = path
        site = configuration.site.identifier
        context = SiteFileContext(configuration)
    }

    /// What it says, checked as a whole.
    func read() throws(InvalidSiteFile) -> LoadedSite { try SiteFile.load(path: path, in: context) }
}
