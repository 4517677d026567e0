import Encoding
import SiteData

extension Authority {
    /// Publishes, and makes a copy for gates without a network, which people carry: what keys online sign counts for longer in it.
    ///
    /// A gate that had the copy must be able to take the repository afterwards, and nothing else the other way round: the repository
    /// gets higher versions than the copy, and gets them first.
    /// - Parameter validSeconds: for how long the copy counts. Whoever has it can hold a gate on it for so long.
    public func publishStick(to path: String, validSeconds: Int64, restored: RestoredOffice.Choice? = nil, isAnyway: Bool = false, warnedBefore: Int64? = nil,
                             now: Int64)
        throws(AuthorityError) -> PublishedRepository {
        guard validSeconds > 0 else { throw .badTimes }
        try OutputPlace.checkApart(path, from: folder)
        // What counts so long must not be what everybody gets.
        let place = try repository().folder
        guard FolderIdentity.areApart(path, place.path) else { throw .repository(.stickInRepository(path: path)) }
        try refuseOthers(RepositoryFolder(path: RepositoryFolder.resolved(path)))
        var published = try publish(restored: restored, isAnyway: isAnyway, warnedBefore: warnedBefore, now: now)
        let lock = try place.locked()
        defer { withExtendedLifetime(lock) {} }
        guard let root = try signed(.root) else { throw .repository(.unsigned(.root)) }
        guard let targets = try signed(.targets) else { throw .repository(.unsigned(.targets)) }
        var copied = NextMetadata(authority: self, place: place, root: root, targets: targets,
                                  NextMetadata.Manner(isForced: true, validSeconds: validSeconds), now: now)
        try copied.make(nil)
        var kept = NextMetadata(authority: self, place: place, root: root, targets: targets,
                                NextMetadata.Manner(isForced: true, skippedVersions: 1), now: now)
        try kept.make(nil)
        try database.transaction { () throws(AuthorityError) in
            for file in kept.files { try database.keep(file.role, version: file.version, file.bytes) }
        }
        try bringUp(place)
        try noteDown()
        try write(copied, from: place, to: RepositoryFolder(path: RepositoryFolder.resolved(path), beforeWriting: beforeWriting))
        try checkAsGates(path, isFull: true, now: now)
        published.noteStick(path, copied)
        return published
    }

    /// A stick that was made before has this site's first root.
    private func refuseOthers(_ stick: RepositoryFolder) throws(AuthorityError) {
        guard let there = try stick.metadata("1.root.json"), let ours = try database.roots().first?.bytes, there != ours else { return }
        throw .repository(.stickOfOthers(path: stick.path))
    }

    /// Targets first and the timestamp last, as in the repository.
    private func write(_ copied: NextMetadata, from place: RepositoryFolder, to stick: RepositoryFolder) throws(AuthorityError) {
        try stick.makeFolders()
        for role in [RepositoryRole.targets, .people] {
            for member in copied.current(role)?["targets"]?.object ?? JSONObject() {
                guard let file = SignedPart.File(member.key, member.value) else { continue }
                if try stick.length("targets/\(file.fileName)") != file.length { try stick.copyTarget(file, from: place) }
            }
        }
        for root in try database.roots() { try stick.writeMetadata("\(root.version).root.json", root.bytes) }
        if let targets = try database.metadata(.targets), let version = try signed(.targets)?.version {
            try stick.writeMetadata("\(version).targets.json", targets)
        }
        for file in copied.files {
            try stick.writeMetadata(file.role == .timestamp ? RepositoryFolder.timestamp : "\(file.version).\(file.role.rawValue).json", file.bytes)
        }
    }
}
