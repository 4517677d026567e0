import Credentials
import Cryptography
import SiteData

/// The token issuers of the site. As a rule there is one; while it is replaced there are two, which gates believe both.
extension Authority {
    /// Makes a new token issuer beside the one that there is. Gates learn of it with what is published next; tokens are signed by the old one
    /// until `useNewIssuer`.
    /// - Parameter name: what its tokens carry as `iss`; nil: the first issuer's name with a number.
    public func rotateIssuer(name: String? = nil, now: Int64) throws(AuthorityError) -> IssuerHandover {
        guard try ownIssuers().count == 1 else { throw .issuersChanging }
        let row = try makeIssuer(name: name, isInUse: false, now: now)
        try database.add(row)
        return try handover(to: row, now: now)
    }

    /// Tokens are signed by the newest issuer from now on. Gates must have been given it before.
    public func useNewIssuer(now: Int64) throws(AuthorityError) -> IssuerHandover {
        guard let newest = try ownIssuers().last, !newest.isInUse else { throw .noNewIssuer }
        guard try isPublished(newest) else { throw .issuerUnpublished(newest.name) }
        try database.use(issuer: newest.generation)
        issuer = newest.name
        return try handover(to: newest, now: now)
    }

    /// Takes all issuers but the one in use from what gates are given. Refused while tokens of theirs still open something.
    /// - Parameter anyway: also after an old backup was restored, which knows nothing of the tokens that were issued since.
    /// - Returns: how many are gone.
    public func dropOldIssuers(anyway: Bool = false, now: Int64) throws(AuthorityError) -> Int {
        let active = try activeIssuers(), own = try ownIssuers()
        guard let used = active.first(where: \.isInUse) else { throw .damaged }
        guard own.last?.isInUse == true else { throw .issuerUnused(own.last?.name ?? "") }
        if !anyway, let old = try issuersOfUnknownTokens().first(where: { $0.generation != used.generation && !$0.isElsewhere }) { throw .repository(.tokensUnknown(old.name)) }
        let left = try database.tokens(notOf: used.generation, now: now)
        guard left.count == 0 else { throw .oldIssuerNeeded(until: left.lastEnd) }
        try database.dropIssuers(but: used.generation, now: now)
        return active.filter { !$0.isElsewhere }.count - 1
    }

    /// Makes a new token issuer in the place of all that there are, at once: gates refuse every token of before from the next publication on.
    public func replaceIssuer(name: String? = nil, now: Int64) throws(AuthorityError) -> IssuerHandover {
        let row = try makeIssuer(name: name, isInUse: true, now: now)
        let handover = try handover(to: row, now: now)
        try database.transaction { () throws(AuthorityError) in
            try database.add(row)
            try database.use(issuer: row.generation)
            try database.dropIssuers(but: row.generation, now: now)
        }
        issuer = row.name
        return handover
    }

    /// The site's token issuers, oldest first, those too that gates are given no more.
    public func issuers() throws(AuthorityError) -> [ListedIssuer] {
        var listed: [ListedIssuer] = []
        for (row, ceiling) in try boundIssuers() {
            let isTakenBack = try database.isTakenBack(.issuer(row.name))
            listed.append(ListedIssuer(name: row.name, generation: row.generation, key: try issuerPublicKey(row), madeAt: row.madeAt,
                                       isInUse: row.isInUse, droppedAt: row.droppedAt, isElsewhere: row.isElsewhere, queue: row.queue, ceiling: ceiling,
                                       isOff: isTakenBack || ceiling?.isOff == true))
        }
        return listed
    }

    /// Those that gates are given, oldest first.
    func activeIssuers() throws(AuthorityError) -> [TokenIssuerRow] { try database.tokenIssuers().filter { $0.droppedAt == nil } }

    /// Those of them that sign here, did, or shall. One that was taken over from the repository is another machine's, unless its key is here.
    private func ownIssuers() throws(AuthorityError) -> [TokenIssuerRow] {
        let active = try activeIssuers(), used = active.first(where: \.isInUse)?.generation ?? 0
        return active.filter { !$0.isElsewhere && ($0.generation <= used || folder.has(AuthorityFolder.issuerKey($0.generation))) }
    }

    /// The issuers that gates are given and of which this office cannot know every token: those of the time before an old backup was restored.
    func issuersOfUnknownTokens() throws(AuthorityError) -> [TokenIssuerRow] {
        // Nobody may have noticed yet.
        if let place = try database.repository()?.path, try isOlder(than: RepositoryFolder(path: place)) { return try activeIssuers() }
        guard let time = try database.restoredAt() else { return [] }
        return try activeIssuers().filter { $0.madeAt <= time }
    }

    /// The names of issuers with tokens that are not known here, as after an old backup was restored: nobody can say that all of a person's were ended.
    public func namesOfUnknownTokens() throws(AuthorityError) -> [String] { try issuersOfUnknownTokens().map(\.name) }

    /// What gates are given of them. Whoever is elsewhere has a ceiling, or is left out.
    func issuerRecords() throws(AuthorityError) -> [PublicationRecord] {
        var records: [PublicationRecord] = []
        for (row, ceiling) in try boundIssuers() where row.droppedAt == nil && (ceiling != nil || !row.isElsewhere) {
            records.append(.issuer(TokenIssuer(name: row.name, key: try issuerPublicKey(row), ceiling: ceiling)))
        }
        return records
    }

    /// All that there are or were, each with the most that it may say by the rules. A new issuer of the office is bound as the one before it, until
    /// the rules name it: a rotation takes no bound away.
    private func boundIssuers() throws(AuthorityError) -> [(row: TokenIssuerRow, ceiling: IssuerCeiling?)] {
        let ceilings = try database.issuerCeilings()
        var inherited: IssuerCeiling?
        var bound: [(row: TokenIssuerRow, ceiling: IssuerCeiling?)] = []
        for row in try database.tokenIssuers() {
            let ceiling = ceilings[row.name] ?? (row.isElsewhere ? nil : inherited)
            // Off is the one whose key was stolen, not what comes in its place.
            if !row.isElsewhere { inherited = ceiling?.switchedOn }
            bound.append((row, ceiling))
        }
        return bound
    }

    /// Of an issuer that signs no more the private half may be gone.
    func issuerPublicKey(_ row: TokenIssuerRow) throws(AuthorityError) -> PublicKey {
        let name = AuthorityFolder.issuerKey(row.generation)
        return try folder.key(folder.has(name) ? name : AuthorityFolder.issuerPublicKey(row.generation), role: .tokenIssuer).publicKey
    }

    /// Makes the key. One that was interrupted goes on with the key file that it had made.
    private func makeIssuer(name: String?, isInUse: Bool, now: Int64) throws(AuthorityError) -> TokenIssuerRow {
        let known = try database.tokenIssuers()
        // A restored office may not know each name that gates believe: with another key it would void what was issued under it.
        let published = try publishedIssuers(), taken = (known.map(\.name) + published.map(\.name))
        var generation = (known.last?.generation ?? 0) + 1
        while folder.has(AuthorityFolder.issuerKey(generation)), let key = try? folder.key(AuthorityFolder.issuerKey(generation), role: .tokenIssuer).publicKey,
              published.contains(where: { issuer in issuer.key == key }) { generation += 1 }
        var number = generation
        while name == nil, taken.contains(where: { $0.utf8.elementsEqual(Self.usualName(number, after: known.first?.name ?? site).utf8) }) { number += 1 }
        let name = try SiteName.checked(name ?? Self.usualName(number, after: known.first?.name ?? site))
        let gateIssuer = try gateIssuer(now: now).issuer.name
        guard !gateIssuer.utf8.elementsEqual(name.utf8) else { throw .sharedIssuer(name) }
        guard !taken.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { throw .issuerThere(name) }
        let others = try keysOfOtherRoles()
        let path = AuthorityFolder.issuerKey(generation)
        let file = try folder.keyMadeOnce(path, role: .tokenIssuer, use: .sign)
        guard !others.contains(file.publicKey) else { throw .keyOfTwoRoles(path: folder.path(of: path)) }
        try refusePersons(file.publicKey)
        try folder.writePublicHalf(of: file, to: AuthorityFolder.issuerPublicKey(generation))
        return TokenIssuerRow(generation: generation, name: name, madeAt: now, isInUse: isInUse, droppedAt: nil)
    }

    private static func usualName(_ generation: Int64, after first: String) -> String {
        let ending = "-\(generation)"
        var start = first
        while start.utf8.count + ending.utf8.count > SiteName.longest { start.removeLast() }
        return start + ending
    }

    /// Those in the newest that lies in the repository, whoever has signed it: their names are only kept free.
    func publishedIssuers() throws(AuthorityError) -> [TokenIssuer] {
        guard let path = try database.repository()?.path else { return [] }
        let place = RepositoryFolder(path: path)
        guard let targets = try place.newest(.targets).flatMap(MetadataFile.signed),
              let file = SignedPart.File(SignedPart.siteData, targets["targets"]?[SignedPart.siteData]),
              let data = try place.read("targets/\(file.fileName)", limit: Draft.longest) else { return [] }
        return (SiteContents.records(in: data, site: site) ?? []).compactMap { record in if case .issuer(let issuer) = record { issuer } else { nil } }
    }

    private func handover(to row: TokenIssuerRow, now: Int64) throws(AuthorityError) -> IssuerHandover {
        let left = try database.tokens(notOf: row.generation, now: now)
        return IssuerHandover(issuer: row.name, publicPath: folder.path(of: AuthorityFolder.issuerPublicKey(row.generation)),
                              safeFrom: max(left.lastEnd, now), tokens: left.count)
    }

    /// Whether gates were given it, in a repository.
    private func isPublished(_ row: TokenIssuerRow) throws(AuthorityError) -> Bool {
        guard let bytes = try database.siteData()?.bytes else { return false }
        return SiteContents.issuers(in: bytes, site: site).contains { $0.utf8.elementsEqual(row.name.utf8) }
    }
}

/// What there is to know before gates forget an old token issuer.
public struct IssuerHandover: Hashable, Sendable {
    /// The name that tokens of the newest issuer carry as `iss`.
    public let issuer: String
    /// Its public key, for whoever checks evidence.
    public let publicPath: String
    /// From then on no token of an older issuer opens anything, UNIX seconds.
    public let safeFrom: Int64
    /// How many tokens of older issuers still open something.
    public let tokens: Int
}
