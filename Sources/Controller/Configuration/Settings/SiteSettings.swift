/// `[site]`
public struct SiteSettings: Hashable, Sendable {
    /// The site's name in tokens' audiences. 1–64 letters, digits, `.`, `_`, `-`.
    public var identifier: String

    public init(identifier: String) { self.identifier = identifier }
}
