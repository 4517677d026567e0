import Credentials
import Cryptography
import Encoding
import SiteData
import SiteRules
import Storage

extension Authority {
    /// Changes are offered from these many versions back, and from the version of the file with everybody.
    private static let steps: [Int64] = [1, 4, 16, 64, 256]
    /// Changes that are longer than this part of the file with everybody are not offered.
    private static let longestPart = 4
    /// When the changes since the file with everybody are longer than this part of it, it is made anew: a gate that is new
    /// loads both.
    private static let renewedPart = 20

    /// The sum of the state as it is now. Refuses what is above the ceiling; a key that was revoked leaves the list for that, since nobody can give
    /// it less.
    /// - Parameter isWhole: everybody is looked at, as under a new ceiling; else those who have changed, if the sum before is known.
    private func peopleSum(_ ceiling: Ceiling, isWhole: Bool, now: Int64) throws(AuthorityError) -> PeopleSum {
        do throws(AuthorityError) {
            return try heldSum(ceiling, isWhole: isWhole, now: now)
        } catch {
            guard case .repository(.ceiling) = error, try database.forgetRevokedKeys(above: ceiling, now: now) > 0 else { throw error }
            return try heldSum(ceiling, isWhole: isWhole, now: now)
        }
    }

    private func heldSum(_ ceiling: Ceiling, isWhole: Bool, now: Int64) throws(AuthorityError) -> PeopleSum {
        guard !isWhole, var sum = try database.publishedSum(site: site) else {
            var sum = PeopleSum(site: site)
            try forEachPersonUnsorted { record throws(AuthorityError) in
                try ceiling.refuse(record, now: now)
                sum.add(record)
            }
            return sum
        }
        let otherRoles = try keysOfOtherRoles()
        try database.forEachTold { record in if !record.isKey(among: otherRoles) { sum.subtract(record) } }
        try database.forEachChange(since: database.peopleVersion()) { change throws(AuthorityError) in
            guard case .put(let record) = change, !record.isKey(among: otherRoles) else { return }
            try ceiling.refuse(record, now: now)
            sum.add(record)
        }
        return sum
    }

    /// Holds all people against the ceiling, without publishing anything.
    func checkPeople(now: Int64) throws(AuthorityError) { _ = try peopleSum(signedCeiling(), isWhole: true, now: now) }

    /// Makes the files of a new state.
    /// - Parameters:
    ///   - isWhole: everybody is looked at, not only those who have changed.
    ///   - onlyChanges: the file with everybody stays as it is.
    func makePublication(version: Int64, epoch: Int64, isWhole: Bool, in place: RepositoryFolder, isRehearsal: Bool, onlyChanges: Bool, now: Int64)
        throws(AuthorityError) -> PeoplePublication {
        let ceiling = try signedCeiling()
        let sum = try peopleSum(ceiling, isWhole: isWhole, now: now)
        let state = SignedState(epoch: UInt64(clamping: epoch), version: UInt64(clamping: version),
                                digest: sum.sum.digest(site: site, counts: sum.counts))
        let maker = PeoplePublicationMaker(authority: self, place: place, state: state, predecessor: try predecessor(in: place, epoch: state.epoch), sum: sum, ceiling: ceiling, isRehearsal: isRehearsal, now: now)
        let since = try database.peopleVersion()
        // Where states were skipped, everybody is given anew.
        let publishedSince = try database.publishedSince()
        let changes = since > 0 && publishedSince <= since ? try database.changeCount(since: since) : Int(clamping: sum.counts.total)
        let isNewEpoch = try SignedState(json: signed(.people)?[SignedState.member])?.epoch != state.epoch
        let full = isNewEpoch ? nil : try usableFull(in: place, below: isWhole && !onlyChanges ? ceiling : nil, state, now: now)
        if onlyChanges, full == nil { throw .repository(.wholeNeeded) }
        if isNewEpoch { return try maker.publication(withNewFullAnd: [], changes: changes, isBeginning: true) }
        guard let full else { return try maker.publication(withNewFullAnd: offers(version, nil), changes: changes) }
        let sinceFull = try maker.changes(since: full.version, longest: onlyChanges ? .max : full.file.length / Self.renewedPart)
        guard let sinceFull else { return try maker.publication(withNewFullAnd: offers(version, nil), changes: changes) }
        var files = [full.file, sinceFull]
        for from in try offers(version, full.version) {
            if let file = try maker.changes(since: from, longest: full.file.length / Self.longestPart) { files.append(file) }
        }
        return PeoplePublication(state: state, predecessor: maker.predecessor, sum: sum, files: files, fullVersion: full.version, changes: changes, isBeginning: false)
    }

    /// The versions from which changes are offered, besides that of the file with everybody.
    private func offers(_ version: Int64, _ full: Int64?) throws(AuthorityError) -> [Int64] {
        let first = try max(1, database.publishedSince())
        return Self.steps.map { version - $0 }.filter { $0 >= first && $0 != full }
    }

    /// The file with everybody that is in the repository; nil if changes cannot lead on from it.
    /// - Parameter ceiling: one by which the file has not been judged yet. Who has less by now is still in it as he was, and no gate would take that.
    private func usableFull(in place: RepositoryFolder, below ceiling: Ceiling? = nil, _ state: SignedState, now: Int64)
        throws(AuthorityError) -> (version: Int64, file: SignedPart.File)? {
        guard let full = try database.fullOfPeople(), try place.length("targets/\(full.file.fileName)") == full.file.length,
              try full.version >= database.publishedSince() else { return nil }
        guard let ceiling, full.version < Int64(clamping: state.version) else { return full }
        do throws(AuthorityError) {
            try BundleReading(site, state, ceiling, issuedAt: now).read("targets/\(full.file.fileName)", in: place, having: nil)
            return full
        } catch {
            guard case .repository(.bundle) = error else { throw error }
            return nil
        }
    }

    /// Whether gates that begin with the file with everybody would find somebody above the ceiling in it.
    func isFullBelowCeiling(in place: RepositoryFolder, _ state: SignedState, now: Int64) throws(AuthorityError) -> Bool {
        try usableFull(in: place, below: signedCeiling(), state, now: now) != nil
    }
}

/// Makes the files of one state.
struct PeoplePublicationMaker {
    let authority: Authority
    let place: RepositoryFolder
    let state: SignedState
    let predecessor: Predecessor?
    let sum: PeopleSum
    let ceiling: Ceiling
    let isRehearsal: Bool
    let now: Int64

    /// A publication with a new file of everybody, and changes for those who have an older state.
    func publication(withNewFullAnd offers: [Int64], changes: Int, isBeginning: Bool = false) throws(AuthorityError) -> PeoplePublication {
        let full = try makeFull()
        var files = [full]
        for from in offers { if let file = try self.changes(since: from, longest: full.length / 4) { files.append(file) } }
        return PeoplePublication(state: state, predecessor: predecessor, sum: sum, files: files, fullVersion: Int64(clamping: state.version), changes: changes, isBeginning: isBeginning)
    }

    private func makeFull() throws(AuthorityError) -> SignedPart.File {
        let file = try BundleFile("full", in: place, isRehearsal: isRehearsal)
        var writer = try writer(from: nil)
        try file.add(writer.head)
        try authority.forEachPerson { record throws(AuthorityError) in try file.add(Self.add(.put(record), to: &writer)) }
        do throws(BundleError) { try writer.finish() } catch { throw .repository(.bundle(error)) }
        return try file.finish(as: SignedPart.peopleFull)
    }

    /// What has changed since a version; nil if it is longer than `longest` bytes.
    func changes(since version: Int64, longest: Int) throws(AuthorityError) -> SignedPart.File? {
        var writer = try writer(from: UInt64(clamping: version))
        var items: ItemSorter
        do throws(AuthorityError) {
            items = try authority.peopleItems(since: version, longest: max(longest, Self.alwaysOffered) - writer.head.count)
        } catch {
            guard error == .repository(.wholeNeeded) else { throw error }
            return nil
        }
        let file = try BundleFile("since-\(version)", in: place, isRehearsal: isRehearsal)
        try file.add(writer.head)
        try items.forEach { item throws(AuthorityError) in try file.add(Self.add(item, to: &writer)) }
        return try file.finish(as: SignedPart.people(since: version))
    }

    /// Files that are as short as that are offered, however few people there are.
    private static let alwaysOffered = 4096

    /// What the zones come to of which anything changed since a version; nil where there are too many of them.
    private func zones(since version: UInt64) throws(AuthorityError) -> [String: [UInt8]]? {
        guard let sums = sum.zones else { return nil }
        let zones = try authority.database.zonesChanged(since: Int64(clamping: version), upTo: sums)
        return zones.count > BundleHeader.mostZones ? nil : sums.digests(of: zones)
    }

    private func writer(from version: UInt64?) throws(AuthorityError) -> BundleWriter {
        let zones = try version.map(zones(since:)) ?? nil
        do throws(BundleError) {
            let header = try BundleHeader(part: .people, site: authority.site, epoch: state.epoch, version: state.version, counts: sum.counts,
                                          digest: state.digest, needs: Authority.needs, from: version, zones: zones)
            return BundleWriter(header, ceiling: ceiling, issuedAt: now)
        } catch {
            throw .repository(.bundle(error))
        }
    }

    private static func add(_ item: BundleItem, to writer: inout BundleWriter) throws(AuthorityError) -> [UInt8] {
        do throws(BundleError) { return try writer.add(item) } catch { throw .repository(.bundle(error)) }
    }
}

extension PublicationRecord {
    /// Whether it lets in one of these keys.
    fileprivate func isKey(among keys: Set<PublicKey>) -> Bool {
        if case .enrolled(let enrolled) = self { keys.contains(enrolled.key) } else { false }
    }

    /// Whose it is, for sentences.
    var subject: String {
        switch self {
        case .enrolled(let key): key.subject
        case .uidOnlyCard(let card): card.subject
        case .rule(.membership(let membership)): membership.subject
        case .issuer, .gateCredential, .revocation, .rule, .ceiling, .message: ""
        }
    }
}

extension AuthorityDatabase {
    /// The first state since which everything that changed is known.
    func publishedSince() throws(AuthorityError) -> Int64 {
        let query = try prepare("SELECT told_since FROM people_state")
        defer { query.reset() }
        guard try query.next() else { throw .damaged }
        return query.integer(0)
    }

    /// The file with everybody that was made last, and the version of its state.
    func fullOfPeople() throws(AuthorityError) -> (version: Int64, file: SignedPart.File)? {
        let query = try prepare("SELECT version, length, hash FROM people_bundle WHERE path = ?1")
        query.bind(SignedPart.peopleFull, at: 1)
        defer { query.reset() }
        guard try query.next() else { return nil }
        return (query.integer(0), SignedPart.File(path: SignedPart.peopleFull, length: Int(query.integer(1)), hash: query.bytes(2)))
    }

    /// Whether anything changed that no state has.
    func hasUntoldChanges() throws(AuthorityError) -> Bool {
        let version = try peopleVersion()
        for table in Self.tablesOfPeople {
            let query = try prepare("SELECT 1 FROM \(table) WHERE state_version > ?1 LIMIT 1")
            query.bind(version, at: 1)
            if try query.exists() { return true }
        }
        return false
    }

    /// The state was published; what is written from now on is in the next one.
    func setPeople(_ publication: PeoplePublication) throws(AuthorityError) {
        let version = Int64(clamping: publication.state.version)
        let update = try prepare("UPDATE people_state SET version = ?1, told_since = CASE WHEN ?2 THEN ?1 ELSE told_since END")
        update.bind(version, at: 1)
        update.bind(publication.isBeginning ? 1 : 0, at: 2)
        try update.finish()
        try keep(publication.sum, of: version)
        if let predecessor = publication.predecessor { try published(predecessor, epoch: publication.state.epoch) }
        try published(Predecessor(publication.state), epoch: publication.state.epoch)
        guard let full = publication.files.first else { return }
        let insert = try prepare("INSERT OR REPLACE INTO people_bundle (path, version, length, hash) VALUES (?1, ?2, ?3, ?4)")
        insert.bind(full.path, at: 1)
        insert.bind(publication.fullVersion, at: 2)
        insert.bind(Int64(full.length), at: 3)
        insert.bind(full.hash, at: 4)
        try insert.finish()
    }

    /// The repository has had higher states than this one knows of: go on above them.
    func skipStates(to version: Int64) throws(AuthorityError) {
        let update = try prepare("UPDATE people_state SET version = ?1, told_since = ?1 + 1")
        update.bind(version, at: 1)
        try update.finish()
    }
}
