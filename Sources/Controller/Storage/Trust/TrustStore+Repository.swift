import Credentials
import SiteData
import Threads
import Vocabulary

/// Site data from the bundles of a repository. Whoever calls has verified the metadata, and that the files have the length and the hashes
/// that were signed.
extension TrustStore {
    /// Changes may lie upon the file below up to one row in so many, and always so many rows: then the whole is taken.
    static let mostChanges = (share: 20, rows: 20_000)

    /// Uses a state from then on that is made of the whole and, where that is older, the changes since; taps go on meanwhile. On any error
    /// the data in use stay.
    /// - Parameters:
    ///   - full: people whole.
    ///   - changes: what has changed since; nil: nothing.
    ///   - site: the site's part.
    ///   - clock: the time; it is written down.
    public func apply(
        full: Int32, changes: Int32?, site: Int32, _ update: RepositoryUpdate, clock: ClockReading
    ) throws(ImportError) -> TrustPublication {
        try importing(update) { (floor) throws(ImportError) in
            do throws(ImportError) {
                let publication = try build(full: full, changes: changes, site: site, update, after: floor, at: clock)
                try install(publication, .whole, after: floor, keys: update.keys)
                return publication
            } catch {
                try? TrustFileBuilder.discard(in: folder)
                throw error
            }
        }
    }

    /// Makes changes to the state in use; taps go on meanwhile. On any error the data in
    /// use stay.
    /// - Parameters:
    ///   - changes: of people; nil: there are none.
    ///   - site: the site's part if there is another one.
    ///   - clock: the time; it is written down.
    /// - Throws: `bundle-whole-needed` where `apply(full:changes:site:)` must be used instead.
    public func apply(changes: Int32?, site: Int32?, _ update: RepositoryUpdate, clock: ClockReading) throws(ImportError) -> TrustPublication {
        try importing(update) { (floor) throws(ImportError) in
            do throws(ImportError) {
                let publication = try build(changes: changes, site: site, update, after: floor, at: clock)
                try install(publication, .changes, after: floor, keys: update.keys)
                return publication
            } catch {
                try? TrustChangesBuilder.discard(in: folder)
                throw error
            }
        }
    }

    private func importing(
        _ update: RepositoryUpdate, _ body: (TrustFloor?) throws(ImportError) -> TrustPublication
    ) throws(ImportError) -> TrustPublication {
        try importing.withLock { (_) throws(ImportError) in
            try storing { () throws(StorageError) in try floorFile.lock() }
            defer { floorFile.unlock() }
            let floor = current.withLock { $0.floor }
            try Self.refuseOlder(version: update.state.version, update, than: floor)
            return try body(floor)
        }
    }

    private static func refuseOlder(version: UInt64, _ update: RepositoryUpdate, than floor: TrustFloor?) throws(ImportError) {
        guard let floor, floor.concerns(site: update.site, .repository), floor.counts(under: update.keys), floor.isAbove(epoch: update.state.epoch, version: version) else { return }
        throw .bundle(.rollback(have: floor.version, given: version))
    }

    // Whole --------------------------------------------------------------------------------------

    private func build(
        full: Int32, changes: Int32?, site: Int32, _ update: RepositoryUpdate, after floor: TrustFloor?, at clock: ClockReading
    ) throws(ImportError) -> TrustPublication {
        let siteRecords = try records(ofSite: site, update)
        let ceiling = Self.ceiling(of: siteRecords)
        let people = PeopleAhead(try MergedPeople(full: full, changes: changes, update, ceiling: ceiling))
        try Self.refuseOlder(version: people.header.version, update, than: floor)
        let builder = try storing { () throws(StorageError) in try TrustFileBuilder(in: folder, fileSystem: fileSystem) }
        var counts = PublicationCounts()
        for record in siteRecords {
            try builder.add(ofSite: record)
            if case .revocation = record { continue }
            counts.count(record)
        }
        let kept = try add(people, to: builder, &counts, zones: update.zones.map { ZoneSums(site: update.site, zones: $0) })
        let repository = RepositoryFacts(epoch: update.state.epoch, siteHash: update.siteHash, ceiling: ceiling, zones: update.zones)
        let publication = TrustPublication(
            update, version: people.header.version, digest: people.header.digest ?? [], counts: counts, generation: (floor?.generation ?? 0) + 1,
            appliedAt: clock.seconds, repository, forkedFrom: forked(by: update))
        try storing { () throws(StorageError) in try builder.finish(publication, sum: kept) }
        try builder.refusePersonsOfOtherRoles()
        return publication
    }

    /// The version in use, where the new state was made without knowledge of it. It shows only where everybody comes anew: no changes lead to another line.
    private func forked(by update: RepositoryUpdate) -> UInt64? {
        guard let used = current.withLock({ $0.snapshot?.publication }), used.site == update.site, used.repository?.epoch == update.state.epoch else { return nil }
        let isFork = Predecessor.isFork(from: Predecessor(version: used.version, digest: used.bodyHash), to: Predecessor(update.state), upon: update.predecessor)
        return isFork ? used.version : nil
    }

    /// Adds everybody, or where only some zones are kept those whom they concern. Everybody was seen then too: what the zones come to is right.
    private func add(
        _ people: PeopleAhead, to builder: TrustFileBuilder, _ counts: inout PublicationCounts, zones: ZoneSums?
    ) throws(ImportError) -> KeptSum {
        let elements = ElementMaker(), summer = StateSummer()
        var all = PublicationCounts(), zones = zones
        while let entries = try people.next() {
            summer.add(entries)
            for entry in entries {
                guard case .put(let record) = entry.item else { continue }
                all.count(record)
                if zones?.concern(record) ?? true {
                    try builder.add(record, of: entry.key)
                    counts.count(record)
                    zones?.add(record, elements.element(of: entry, record))
                } else {
                    try builder.leaveOut(record)
                }
            }
        }
        let sum = summer.finish()
        guard all == people.header.counts, sum.digest(site: people.header.site, counts: all) == people.header.digest else { throw .bundle(.stateDiffers) }
        return KeptSum(state: sum, zones: zones)
    }

    // Changes ------------------------------------------------------------------------------------

    private func build(
        changes: Int32?, site: Int32?, _ update: RepositoryUpdate, after floor: TrustFloor?, at clock: ClockReading
    ) throws(ImportError) -> TrustPublication {
        guard let snapshot = current.withLock({ $0.snapshot }), let repository = snapshot.publication.repository, snapshot.canChange,
              snapshot.publication.site == update.site, repository.epoch == update.state.epoch, repository.zones == update.zones else { throw .wholeNeeded }
        let siteRecords = try site.map { (site) throws(ImportError) in try records(ofSite: site, update) }
        // Everybody would have to be held against another ceiling.
        guard siteRecords.map({ Self.ceiling(of: $0) == repository.ceiling }) ?? (repository.siteHash == update.siteHash) else { throw .wholeNeeded }
        let builder = try storing { () throws(StorageError) in
            try TrustChangesBuilder(upon: Self.name, in: folder, continuing: snapshot.hasChanges, fileSystem: fileSystem)
        }
        if let siteRecords { try storing { () throws(StorageError) in try builder.replaceSite(with: siteRecords) } }
        let header = try changes.map { (changes) throws(ImportError) in try apply(changes, to: builder, snapshot.publication, repository, update) }
        let most = max(Self.mostChanges.rows, Int(clamping: builder.counts.ofPeople.total) / Self.mostChanges.share)
        guard builder.size <= most else { throw .wholeNeeded }
        if let thumbprint = try storing({ () throws(StorageError) in try builder.personOfOtherRole() }) {
            throw .publication(.keyOfTwoRoles(thumbprint: thumbprint))
        }
        let facts = RepositoryFacts(epoch: repository.epoch, siteHash: update.siteHash, ceiling: repository.ceiling, zones: repository.zones)
        let publication = TrustPublication(
            update, version: header?.version ?? snapshot.publication.version, digest: header?.digest ?? snapshot.publication.bodyHash,
            counts: builder.counts, generation: (floor?.generation ?? 0) + 1, appliedAt: clock.seconds, facts)
        try storing { () throws(StorageError) in try builder.finish(publication) }
        return publication
    }

    private func apply(
        _ descriptor: Int32, to builder: TrustChangesBuilder, _ have: TrustPublication, _ repository: RepositoryFacts, _ update: RepositoryUpdate
    ) throws(ImportError) -> BundleHeader {
        var source = try BundleSource(descriptor: descriptor, BundleExpectation(
            site: update.site, state: update.state, having: have.version, ceiling: repository.ceiling, issuedAt: update.issuedAt))
        guard builder.canCheck(source.header) else { throw .wholeNeeded }
        while let entry = try source.next() { try storing { () throws(StorageError) in try builder.apply(entry) } }
        guard builder.agrees(with: source.header) else { throw .bundle(.stateDiffers) }
        return source.header
    }

    // Both ---------------------------------------------------------------------------------------

    private func records(ofSite descriptor: Int32, _ update: RepositoryUpdate) throws(ImportError) -> [PublicationRecord] {
        var source = try BundleSource(descriptor: descriptor, BundleExpectation(site: update.site, epoch: update.state.epoch))
        var records: [PublicationRecord] = []
        while case .put(let record)? = try source.next()?.item { records.append(record) }
        return records
    }

    private static func ceiling(of records: [PublicationRecord]) -> Ceiling {
        for case .ceiling(let ceiling) in records { return ceiling }
        return .standard
    }
}
