import Credentials
import Cryptography
import TrustSync

/// The token issuers of the site. As a rule there is one; while it is replaced there are two, which gates believe both.
extension Authority {
    /// Makes a new token issuer beside the one that there is. Gates learn of it with what is published next; tokens are signed by the old one
    /// until `useNewIssuer`.
    /// - Parameter name: what its tokens carry as `iss`; nil: the first issuer's name with a number.
    public func rotateIssuer(name: String? = nil, now: Int64) throws(AuthorityError) -> IssuerHandover {
        guard try activeIssuers().count == 1 else { throw .issuersChanging }
        let row = try makeIssuer(name: name, isInUse: false, now: now)
        try database.add(row)
        return try handover(to: row, now: now)
    }

    /// Tokens are signed by the newest issuer from now on. Gates must have been given it before.
    public func useNewIssuer(now: Int64) throws(AuthorityError) -> IssuerHandover {
        guard let newest = try activeIssuers().last, !newest.isInUse else { throw .noNewIssuer }
        guard try isPublished(newest) else { throw .issuerUnpublished(newest.name) }
        try database.use(issuer: newest.generation)
        issuer = newest.name
        return try handover(to: newest, now: now)
    }

    /// Takes all issuers but the one in use from what gates are given. Refused while tokens of theirs still open something.
    /// - Returns: how many are gone.
    public func dropOldIssuers(now: Int64) throws(AuthorityError) -> Int {
        let active = try activeIssuers()
        guard let used = active.first(where: \.isInUse) else { throw .damaged }
        guard active.last?.isInUse == true else { throw .issuerUnused(active.last?.name ?? "") }
        let left = try database.tokens(notOf: used.generation, now: now)
        guard left.count == 0 else { throw .oldIssuerNeeded(until: left.lastEnd) }
        try database.dropIssuers(but: used.generation, now: now)
        return active.count - 1
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
        for row in try database.tokenIssuers() {
            listed.append(ListedIssuer(name: row.name, generation: row.generation, key: try issuerPublicKey(row), madeAt: row.madeAt,
                                       isInUse: row.isInUse, droppedAt: row.droppedAt))
        }
        return listed
    }

    /// Those that gates are given, oldest first.
    func activeIssuers() throws(AuthorityError) -> [TokenIssuerRow] { try database.tokenIssuers().filter { $0.droppedAt == nil } }

    /// What gates are given of them.
    func issuerRecords() throws(AuthorityError) -> [PublicationRecord] {
        var records: [PublicationRecord] = []
        for row in try activeIssuers() { records.append(.issuer(TokenIssuer(name: row.name, key: try issuerPublicKey(row)))) }
        return records
    }

    /// Of an issuer that signs no more the private half may be gone.
    func issuerPublicKey(_ row: TokenIssuerRow) throws(AuthorityError) -> PublicKey {
        let name = AuthorityFolder.issuerKey(row.generation)
        return try folder.key(folder.has(name) ? name : AuthorityFolder.issuerPublicKey(row.generation), role: .tokenIssuer).publicKey
    }

    /// Makes the key. One that was interrupted goes on with the key file that it had made.
    private func makeIssuer(name: String?, isInUse: Bool, now: Int64) throws(AuthorityError) -> TokenIssuerRow {
        let known = try database.tokenIssuers()
        let generation = (known.last?.generation ?? 0) + 1
        let name = try SiteName.checked(name ?? Self.usualName(generation, after: known.first?.name ?? site))
        let gateIssuer = try gateIssuer(now: now).issuer.name
        guard !gateIssuer.utf8.elementsEqual(name.utf8) else { throw .sharedIssuer(name) }
        guard !known.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { throw .issuerThere(name) }
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

    private func handover(to row: TokenIssuerRow, now: Int64) throws(AuthorityError) -> IssuerHandover {
        let left = try database.tokens(notOf: row.generation, now: now)
        return IssuerHandover(issuer: row.name, publicPath: folder.path(of: AuthorityFolder.issuerPublicKey(row.generation)),
                              safeFrom: max(left.lastEnd, now), tokens: left.count)
    }

    /// Whether gates were given it: signed in the repository where there is one, else in a file.
    private func isPublished(_ row: TokenIssuerRow) throws(AuthorityError) -> Bool {
        guard try database.repository() != nil else { return try database.hasPublication(since: row.madeAt) }
        guard let bytes = try database.siteData()?.bytes else { return false }
        return SiteContents.issuers(in: bytes, site: site).contains { $0.utf8.elementsEqual(row.name.utf8) }
    }
}
