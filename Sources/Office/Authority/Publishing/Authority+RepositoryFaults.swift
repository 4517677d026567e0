/// The folder of the repository is everybody's to read, and nobody else's to write to.
extension Authority {
    /// The variable of the environment that names a group which may write to the repository too.
    public static let groupVariable = "TAPSTILE_AUTHORITY_GROUP"

    /// Where a repository shall begin. Whoever else may write there, or put it among the keys, is found out before.
    func newPlace(_ path: String) throws(AuthorityError) -> RepositoryFolder {
        try OutputPlace.checkApart(path, from: folder)
        // The next command may be called elsewhere.
        let place = RepositoryFolder.named(path)
        if let (path, exposure) = try place.exposure(but: repositoryGroup) { throw .repository(.exposed(path: path, exposure)) }
        return place
    }

    /// What is wrong with the folder, without keeping anybody from publishing: revocations go out all the same.
    func faults(of place: RepositoryFolder) throws(AuthorityError) -> [PublishedRepository.Warning] {
        var warnings: [PublishedRepository.Warning] = []
        if let (path, exposure) = try place.exposure(but: repositoryGroup) { warnings.append(.exposed(path: path, exposure)) }
        warnings += place.secrets(of: folder).prefix(PublishedRepository.mostHeldBack).map { PublishedRepository.Warning.secret(path: $0) }
        warnings += try place.strangers().prefix(PublishedRepository.mostHeldBack).map { PublishedRepository.Warning.stranger(path: $0) }
        for role in [RepositoryRole.root, .targets, .people, .snapshot] {
            let version = try place.newestVersion(role), counted = try newestSigned(role, in: place)?.version ?? 0
            if version > counted { warnings.append(.stranger(path: place.metadataPath("\(version).\(role.rawValue).json"))) }
        }
        return warnings
    }
}
