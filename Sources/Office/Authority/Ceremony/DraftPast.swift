/// What whoever signs a draft knows of what is in force, without believing the office.
public enum DraftPast: Hashable, Sendable {
    /// Nothing is: this is the first version.
    case nothing
    /// What the draft says is in force, is.
    case known(Witness)
    /// It may be made up. Nothing is compared with it.
    case unknown(Doubt)

    /// By whose word.
    public enum Witness: Hashable, Sendable {
        /// The office's own database says so: this is the office.
        case office
        /// The key has signed it.
        case thisKey
        /// Those have whom a root names that a person named by hand; its version.
        case root(version: Int64)
    }

    /// Why nothing is known.
    public enum Doubt: Hashable, Sendable {
        /// The key has not signed it, and no root was named.
        case notSignedByThisKey
        /// The root that was named does not vouch for it.
        case notSignedForRoot(version: Int64)
        /// The site's part of what is in force is not in the draft.
        case siteDataMissing
        /// It cannot be read for that site.
        case siteDataUnreadable
        /// The key has signed for these sites and never for this one.
        case otherSites([String], this: String)
    }

    /// Whether differences are shown.
    public var isKnown: Bool {
        switch self {
        case .nothing, .known: true
        case .unknown: false
        }
    }

    /// A line for whoever signs.
    func line(before version: Int64) -> String {
        switch self {
        case .nothing: "the first one"
        case .known(.office): "compared with version \(version)"
        case .known(.thisKey): "compared with version \(version), which this key has signed"
        case .known(.root(let root)): "compared with version \(version), signed as root version \(root) demands"
        case .unknown(.notSignedByThisKey):
            "! NOT compared with version \(version), which this key has not signed: read all of it, or name a root that you trust (--root)"
        case .unknown(.notSignedForRoot(let root)): "! NOT compared with version \(version), which is not signed as root version \(root) demands: read all of it"
        case .unknown(.siteDataMissing): "! NOT compared with version \(version), whose part of the site is missing: read all of it"
        case .unknown(.siteDataUnreadable): "! NOT compared with version \(version), whose part of the site cannot be read: read all of it"
        case .unknown(.otherSites(let others, let site)):
            "! NOT compared: this key has signed for \(ShownText.names(others, one: "site", several: "sites", none: "no site")) and never for \(ShownText.name(site)): "
                + "if that shall be the same site, sign nothing; else read all of it"
        }
    }
}
