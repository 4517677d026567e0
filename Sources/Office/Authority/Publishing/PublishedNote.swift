import Encoding

/// The newest that an office has published, noted outside of its folder and of its repository. Where both were restored from one backup, nothing else here says
/// that gates have had more.
struct PublishedNote: Equatable {
    /// The newest version of each role.
    var versions: [RepositoryRole: Int64] = [:]
    /// The newest state of people.
    var state: Int64 = 0
    /// The epoch in which states count.
    var epoch: Int64 = 0

    private static let longest = 1 << 12

    init() {}

    /// Nil if there is none, or none that can be read.
    init?(at path: String) throws(AuthorityError) {
        guard let bytes = try RepositoryFolder.read(at: path, limit: Self.longest), let json = try? JSON.parse(bytes),
              let state = json["state"]?.integer, let epoch = json["epoch"]?.integer else { return nil }
        self.state = state
        self.epoch = epoch
        for role in RepositoryRole.allCases {
            guard let version = json[role.rawValue]?.integer else { return nil }
            versions[role] = version
        }
    }

    /// As it is written.
    var bytes: [UInt8] {
        let noted = RepositoryRole.allCases.map { role in (role.rawValue, JSON.integer(versions[role] ?? 0)) }
        return Array(JSON.object(JSONObject(noted + [("state", .integer(state)), ("epoch", .integer(epoch))])).text.utf8)
    }
}
