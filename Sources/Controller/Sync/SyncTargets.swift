import TrustSync

/// The names of a site's targets, and what the metadata of people say of them.
enum SyncTargets {
    /// What the site decides.
    static let site = "site/data"
    /// All people.
    static let people = "people/full"
    private static let changes = "people/since-"
    /// When a role signed.
    static let issued = MetadataHeader.issuedMember

    /// What has changed of people after a version.
    static func people(since version: UInt64) -> String { "\(changes)\(version)" }

    /// The bundles of changes that a role describes.
    static func offers(of people: TargetsMetadata) -> [DeltaChoice.Offer] {
        people.targets.compactMap { path, file in
            guard path.text.hasPrefix(changes), let from = UInt64(path.text.dropFirst(changes.count)), Self.people(since: from) == path.text else { return nil }
            return DeltaChoice.Offer(from: from, length: UInt64(clamping: file.length))
        }
    }
}
