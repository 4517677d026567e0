import Storage

/// Site data that were made without knowledge of those before them: two offices publish for one site, each from a copy of the folder, and take turns at
/// replacing everybody. They are in use all the same, for which of the two is right nobody here can say, and neither's revocations must wait for that.
struct SiteDataFork: Equatable, Sendable {
    /// The version that was in use.
    let had: UInt64
    private let version: UInt64

    /// Nil for data that follow on from those before.
    init?(_ publication: TrustPublication) {
        guard let had = publication.forkedFrom else { return nil }
        (self.had, version) = (had, publication.version)
    }

    /// Stable code.
    var code: String { "trust-data-forked" }

    /// A sentence for people that names the remedy.
    var message: String {
        "Version \(version) of the site data was made without knowledge of version \(had), which was in use here: two offices work on copies of one folder, and each "
            + "replaces what the other has said. Stop one of them, then look in the other at who is missing."
    }
}
