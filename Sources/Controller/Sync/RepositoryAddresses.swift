import SiteData

/// Where a site's repository lies, and how slow the way to it may be.
struct RepositoryAddresses: Equatable, Sendable {
    /// Below it lie the files of metadata; ends in a slash.
    let metadata: String
    /// Below it lie the targets; ends in a slash.
    let targets: String
    /// Bytes a second; fewer, over half a minute, end a file.
    let minimumRate: Int64

    /// - Parameters:
    ///   - url: of the repository: `metadata/` and `targets/` lie below it.
    ///   - targetsURL: where the targets lie elsewhere.
    package init(url: String, targetsURL: String? = nil, minimumRate: Int64) {
        metadata = Self.folder(url) + "metadata/"
        targets = targetsURL.map(Self.folder) ?? Self.folder(url) + "targets/"
        self.minimumRate = minimumRate
    }

    /// Those of a repository in a folder, of which the path counts alone. A stick gives more than this, or hangs.
    static let folder = RepositoryAddresses(url: "http://folder", minimumRate: 16_384)

    private static func folder(_ url: String) -> String { url.hasSuffix("/") ? url : url + "/" }

    /// Where a file lies.
    func url(of request: FetchRequest) -> String {
        switch request.place {
        case .metadata: metadata + request.name
        case .targets: targets + request.name
        }
    }
}
