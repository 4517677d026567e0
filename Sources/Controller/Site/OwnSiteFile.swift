import Configuration
import SiteFile
import Storage
import Threads

/// The site's own file on a gate without an authority.
package struct OwnSiteFile: Sendable {
    /// Where it lies.
    let path: String
    /// The gate's site.
    package let site: String
    private let context: SiteFileContext

    /// Nil where an authority signs the site data.
    package init?(_ configuration: GateConfiguration) {
        guard let path = configuration.trust.siteFile else { return nil }
        self.path = path
        site = configuration.site.identifier
        context = SiteFileContext(configuration)
    }

    /// What it says, checked as a whole.
    package func read() throws(InvalidSiteFile) -> LoadedSite { try SiteFile.load(path: path, in: context) }
}

/// Why the site's own file is not what the gate goes by, as `status` says it.
///
/// Any thread may call; the lock guards one value.
package final class SiteFileState: Sendable {
    /// A code and a sentence with the remedy.
    package struct Problem: Equatable, Sendable {
        package let code: String
        package let message: String

        package init(code: String, message: String) {
            self.code = code
            self.message = message
        }
    }

    private let current = Mutex<Problem?>(nil)

    package init() {}

    /// Nil while the file is in use, and on gates that have none.
    package var problem: Problem? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

extension SiteDataOrigin {
    /// For journal, events and status.
    package var word: String {
        switch self {
        case .publication: "publication"
        case .siteFile: "site-file"
        case .repository: "repository"
        }
    }

    /// Where the site data of a configuration come from.
    package init(_ source: SiteDataSource) {
        self = switch source {
        case .repository: .repository
        case .siteFile: .siteFile
        }
    }
}
