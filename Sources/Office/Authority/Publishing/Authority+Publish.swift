import Encoding
import Files
import SiteData

/// Publishing: what changed of people, which versions belong together, and that it is fresh.
extension Authority {
    /// Brings the repository up to what the authority knows.
    ///
    /// Files that nothing speaks of come first, then one transaction of the database, which is the moment of truth, then the
    /// metadata in the order in which readers ask for it last, `timestamp.json` at the very end. A command that is interrupted before
    /// the transaction leaves the repository as it was; one that is interrupted after it is finished by the next.
    ///
    /// At the end it looks at all of it as gates do.
    /// - Parameters:
    ///   - isRehearsal: nothing is kept; the answer says what would be.
    ///   - onlyChanges: the file with everybody is not made anew, however long the changes since it are.
    ///   - restored: which counts where the repository is ahead, as after an old backup was restored; nil: nobody has said it, and nothing is published.
    ///   - isAnyway: nothing waits for rules that targets have not signed.
    ///   - warnedBefore: so many seconds before what only others can sign is over, the answer says so; nil: the usual time.
    /// - Throws: `publishedInVain` where all was published, and gates refuse it.
    public func publish(isRehearsal: Bool = false, onlyChanges: Bool = false, restored: RestoredOffice.Choice? = nil, isAnyway: Bool = false,
                        warnedBefore: Int64? = nil, now: Int64) throws(AuthorityError) -> PublishedRepository {
        let place = try repository().folder
        var published: PublishedRepository
        if isRehearsal {
            published = try database.rehearsal { () throws(AuthorityError) in
                let rehearsed = try publish(in: place, isRehearsal: true, onlyChanges: onlyChanges, restored, isAnyway: isAnyway, now: now)
                try RepositoryCheck.dates(of: [(.root, signed(.root)), (.targets, signed(.targets))], at: now)
                return rehearsed
            }
        } else {
            try place.makeFolders()
            let lock = try place.locked()
            defer { withExtendedLifetime(lock) {} }
            published = try publish(in: place, isRehearsal: false, onlyChanges: onlyChanges, restored, isAnyway: isAnyway, now: now)
            try checkAsGates(place.path, isFull: published.isFull, now: now)
        }
        published.note(soonOver: try soonOver(warnedBefore, now: now))
        return published
    }

    private func publish(in place: RepositoryFolder, isRehearsal: Bool, onlyChanges: Bool, _ restored: RestoredOffice.Choice?, isAnyway: Bool, now: Int64)
        throws(AuthorityError) -> PublishedRepository {
        var published = PublishedRepository(path: place.path)
        try database.checkSoundness()
        isLookedThrough = true
        defer { isLookedThrough = false }
        published.restored = try settle(restored, place, now: now)
        // Until what is signed now lies there, the repository is ahead all the same.
        isSettled = true
        defer { isSettled = false }
        published.warnings = try adopt(from: place, now: now).map { .repositoryAhead($0) }
        published.warnings += try readQueues(now: now)
        let before = try [signed(.root), signed(.targets)]
        try renewWhatIsHere(epoch: repository().epoch, now: now)
        let epoch = try repository().epoch
        guard let root = try signed(.root) else { throw .repository(.unsigned(.root)) }
        guard let targets = try signed(.targets), try targetsAreSigned() else { throw .repository(.unsigned(.targets)) }
        if !isRehearsal { try bringUp(place) }
        var next = NextMetadata(authority: self, place: place, root: root, targets: targets, now: now)
        let judge = try publicationJudge(isAnyway: isAnyway, now: now)
        // Where states are skipped, what is new would look as if gates had had it.
        try holdBack(judge)
        try goAbove(place, &published)
        let publication = try nextPublication(place, judge, targets, isRehearsal: isRehearsal, onlyChanges: onlyChanges)
        try next.make(publication)
        published.changed = zip([RepositoryRole.root, .targets], zip(before, [root, targets])).filter { $1.0 != $1.1 }.map { $0.0 }
        published.note(next, publication, isFull: publication.map { $0.fullVersion == Int64(clamping: $0.state.version) } ?? false)
        published.warnings += try warnings(root, targets, epoch: epoch, now: now) + issuersWithoutCeiling().map { .issuerWithoutCeiling($0) }
        try published.note(heldBack(judge), database.membershipsOfNobody())
        // An older program took what would be refused now: revocations go out all the same.
        let crowded = try database.subjectsOfTooManyGroups(atGates: true, most: PublishedRepository.mostHeldBack)
        published.warnings += crowded.map { PublishedRepository.Warning.tooManyGroups(subject: $0) }
        published.warnings += try faults(of: place)
        guard !isRehearsal else { return published }
        try database.transaction { () throws(AuthorityError) in
            for file in next.files { try database.keep(file.role, version: file.version, file.bytes) }
            if let publication { try database.setPeople(publication) }
        }
        try bringUp(place)
        try noteDown()
        try tidy(place, now: now)
        return published
    }

    /// Signs anew what keys in this folder can sign, if it changed or is soon over.
    private func renewWhatIsHere(epoch: Int64, now: Int64) throws(AuthorityError) {
        if try isDue(.root, now: now) { _ = try renew(.root, now: now) }
        guard try database.metadata(.root) != nil else { return }
        let isDue = try isDue(.targets, now: now), hasChanged = try siteHasChanged(epoch: epoch, now: now), isSigned = try targetsAreSigned()
        if isDue || hasChanged || !isSigned { _ = try renew(.targets, now: now) }
    }

    /// Whether what targets signed counts under the newest root. After their keys were replaced it has to be signed by the new ones
    /// before gates are given that root.
    func targetsAreSigned() throws(AuthorityError) -> Bool {
        guard let root = try database.metadata(.root), let targets = try database.metadata(.targets) else { return false }
        do throws(MetadataFault) {
            return try SignatureCount(of: SignedMetadata(targets), for: .targets, by: SignedMetadata(root))?.isReached ?? false
        } catch {
            throw .repository(.metadata(path: "root", error))
        }
    }

    /// Whether nothing was signed yet, less than a third of the time is left for which it counts, or it says a time that has not come yet.
    func isDue(_ role: RepositoryRole, now: Int64) throws(AuthorityError) -> Bool {
        guard let signed = try signed(role), !isAhead(signed, now: now) else { return true }
        return signed.expires - now < (try database.role(role).validSeconds) / 3
    }

    func siteHasChanged(epoch: Int64, now: Int64) throws(AuthorityError) -> Bool {
        try siteData(epoch: epoch, now: now).bytes != database.siteData()?.bytes
    }

    private func warnings(_ root: JSONObject, _ targets: JSONObject, epoch: Int64, now: Int64) throws(AuthorityError)
        -> [PublishedRepository.Warning] {
        var warnings: [PublishedRepository.Warning] = []
        if try siteHasChanged(epoch: epoch, now: now) { warnings.append(.siteChanged) }
        for (role, signed) in [(RepositoryRole.root, root), (.targets, targets)] where try isDue(role, now: now) {
            warnings.append(isAhead(signed, now: now) ? .ahead(role, issued: signed.issued) : .expires(role, at: signed.expires))
        }
        return warnings
    }

    /// After an old backup was restored the repository is ahead: states count on above it, and everybody is published anew.
    private func goAbove(_ place: RepositoryFolder, _ published: inout PublishedRepository) throws(AuthorityError) {
        if let noted = try publishedNote()?.state, try noted > database.peopleVersion() { try database.skipStates(to: noted) }
        for role in [RepositoryRole.people, .snapshot] where try newestSigned(role, in: place)?.version ?? 0 > signed(role)?.version ?? 0 {
            published.warnings.append(.repositoryAhead(role))
        }
        guard published.warnings.contains(.repositoryAhead(.people)) || isForked,
              let newest = try newestSigned(.people, in: place).flatMap({ MetadataFile.signed(in: $0.bytes) }),
              let state = SignedState(json: newest[SignedState.member]) else { return }
        if try Int64(clamping: state.version) > database.peopleVersion() { try database.skipStates(to: Int64(clamping: state.version)) }
    }

    /// The next state with its files; nil if there is nothing new to say of people. What may not be published is left out of it.
    private func nextPublication(_ place: RepositoryFolder, _ judge: PublicationJudge, _ targets: JSONObject, isRehearsal: Bool, onlyChanges: Bool)
        throws(AuthorityError) -> PeoplePublication? {
        // Other targets may have another ceiling.
        let isWhole = try signed(.snapshot)?.versionOf("targets.json") != targets.version
        do throws(AuthorityError) {
            return try nextPublication(place, isWhole: isWhole, isRehearsal: isRehearsal, onlyChanges: onlyChanges, now: judge.now)
        } catch {
            guard case .repository(.ceiling) = error else { throw error }
            try holdBackExcess(judge)
            return try nextPublication(place, isWhole: isWhole, isRehearsal: isRehearsal, onlyChanges: onlyChanges, now: judge.now)
        }
    }

    private func nextPublication(_ place: RepositoryFolder, isWhole: Bool, isRehearsal: Bool, onlyChanges: Bool, now: Int64)
        throws(AuthorityError) -> PeoplePublication? {
        let site = try database.siteData()?.bytes ?? []
        let epoch = Int64(clamping: SiteContents.epoch(in: site) ?? 1)
        let people = try signed(.people)
        let state = SignedState(json: people?[SignedState.member])
        let version = try database.peopleVersion()
        let isUntold = try database.hasUntoldChanges()
        let isTold = state?.epoch == UInt64(clamping: epoch) && state?.version == UInt64(clamping: version) && !isUntold
        // Beside a second office's state with the same number ours is nobody's.
        if isTold, !isForked, let state, try hasAllFiles(people, in: place) {
            guard isWhole else { return nil }
            try checkPeople(now: now)
            // A key that was revoked may have left the list.
            if try !database.hasUntoldChanges() {
                if onlyChanges { return nil }
                if try isFullBelowCeiling(in: place, state, now: now) { return nil }
            }
        }
        return try makePublication(version: version + 1, epoch: epoch, isWhole: isWhole, in: place, isRehearsal: isRehearsal, onlyChanges: onlyChanges,
                               now: now)
    }

    /// Writes into the repository what the database has and the repository has not, or has otherwise, in the order that leaves readers with the
    /// old or the new.
    func bringUp(_ place: RepositoryFolder) throws(AuthorityError) {
        if let data = try database.siteData(), let targets = try signed(.targets),
           let file = SignedPart.File(SignedPart.siteData, targets["targets"]?[SignedPart.siteData]), try lacks("targets/\(file.fileName)", data.bytes, place) {
            try place.writeTarget(file.fileName, data.bytes)
        }
        for role in [RepositoryRole.people, .targets, .snapshot] {
            guard let bytes = try database.metadata(role), let version = try signed(role)?.version else { continue }
            let name = "\(version).\(role.rawValue).json"
            if try lacks("metadata/\(name)", bytes, place) { try place.writeMetadata(name, bytes) }
        }
        // A root under which nothing is signed yet is no use to anybody.
        let isFirst = try database.metadata(.targets) == nil, isSigned = try targetsAreSigned()
        for root in try isFirst || isSigned ? database.roots() : [] where try lacks("metadata/\(root.version).root.json", root.bytes, place) {
            try place.writeMetadata("\(root.version).root.json", root.bytes)
        }
        guard let bytes = try database.metadata(.timestamp), let version = try signed(.timestamp)?.version,
              try newestSigned(.timestamp, in: place)?.version ?? 0 < version, try hasAllFiles(signed(.people), in: place) else { return }
        try place.writeMetadata(RepositoryFolder.timestamp, bytes)
    }

    /// Old files stay for as long as somebody may be loading them.
    private func tidy(_ place: RepositoryFolder, now: Int64) throws(AuthorityError) {
        var metadata: Set<String> = [RepositoryFolder.timestamp]
        for name in try place.names("metadata") where name.hasSuffix(".root.json") { metadata.insert(name) }
        var targets: [String: Set<String>] = ["site": [], "people": []]
        for role in [RepositoryRole.targets, .people, .snapshot] {
            guard let signed = try signed(role) else { continue }
            metadata.insert("\(signed.version).\(role.rawValue).json")
            for member in signed["targets"]?.object ?? JSONObject() {
                guard let file = SignedPart.File(member.key, member.value) else { continue }
                let parts = file.fileName.split(separator: "/").map(String.init)
                if parts.count == 2 { targets[parts[0]]?.insert(parts[1]) }
            }
        }
        try place.remove("metadata", notIn: metadata, olderThan: Self.keptSeconds, now: now)
        for (folder, names) in targets { try place.remove("targets/\(folder)", notIn: names, olderThan: Self.keptSeconds, now: now) }
    }

    /// A week: as long as the slowest gate may take.
    private static let keptSeconds: Int64 = 7 * 86_400
}

extension PublishedRepository {
    fileprivate mutating func note(_ next: NextMetadata, _ publication: PeoplePublication?, isFull: Bool) {
        for role in RepositoryRole.allCases {
            versions[role] = next.current(role)?.version
            expires[role] = next.current(role)?.expires
        }
        changed += next.files.map(\.role)
        if let state = SignedState(json: next.current(.people)?[SignedState.member]) {
            self.state = (Int64(clamping: state.version), Int64(clamping: state.epoch))
        }
        changes = publication?.changes
        self.isFull = isFull && publication != nil
        bytes = next.files.reduce(0) { $0 + $1.bytes.count } + (publication.map { $0.files.dropFirst().map(\.length).min() ?? $0.files[0].length } ?? 0)
    }
}
