import Credentials
import Cryptography
import SiteData
import SiteRules

/// Brings an office that was restored from an old backup up to what its repository has.
extension Authority {
    func adoptRestored(_ restored: Restored, _ place: RepositoryFolder, now: Int64) throws(AuthorityError) {
        let thrownOut = try database.tokenIssuers().filter { row in restored.issuers.contains { $0.name.utf8.elementsEqual(row.name.utf8) } }
        // Gates would refuse every token that is issued here from now on.
        if let used = thrownOut.first(where: \.isInUse) { throw .repository(.issuerThrownOut(used.name)) }
        _ = try adopt(from: place, now: now)
        let rows = try EnrolledRows(database, otherRoles: []), memberships = try MembershipRows(database)
        try database.transaction { () throws(AuthorityError) in
            // What changes now, gates learn with a state above all that they have had.
            if let version = restored.peopleVersion, try version > database.peopleVersion() { try database.skipStates(to: version) }
            for row in thrownOut { try database.drop(issuer: row.generation, now: now) }
            for issuer in restored.issuersSince { try believe(issuer, now: now) }
            if let records = restored.siteRecords { try adoptDecisions(records) }
            for (here, published) in restored.people {
                if let published { try put(published, inPlaceOf: here, rows, memberships, now: now) } else if let here { try remove(here, rows, memberships) }
            }
        }
    }

    /// An issuer that was made since goes on for all who have its tokens. It signs here only if the backup has its key.
    private func believe(_ issuer: TokenIssuer, now: Int64) throws(AuthorityError) {
        let known = try database.tokenIssuers()
        var generation: Int64 = 1
        // Its own key may be here, if only the database was restored.
        while generation <= known.last?.generation ?? 0 {
            if !known.contains(where: { $0.generation == generation }), try hasKey(generation, of: issuer) { break }
            generation += 1
        }
        // A key file of another one is no place for it.
        while folder.has(AuthorityFolder.issuerKey(generation)), try !hasKey(generation, of: issuer) { generation += 1 }
        // The office's own are bound by nothing, as a rule.
        let isElsewhere = issuer.ceiling != nil && !folder.has(AuthorityFolder.issuerKey(generation))
        let file: KeyFile
        do throws(KeyFileError) { file = try KeyFile(role: .tokenIssuer, material: .public(issuer.key, .sign)) } catch { throw .keyFile(path: issuer.name, error) }
        try folder.writePublicHalf(of: file, to: AuthorityFolder.issuerPublicKey(generation))
        try database.add(TokenIssuerRow(generation: generation, name: issuer.name, madeAt: min(try signed(.targets)?.issued ?? now, now), isInUse: false, droppedAt: nil,
                                        isElsewhere: isElsewhere))
    }

    private func hasKey(_ generation: Int64, of issuer: TokenIssuer) throws(AuthorityError) -> Bool {
        let name = AuthorityFolder.issuerKey(generation)
        guard folder.has(name) else { return false }
        return try folder.key(name, role: .tokenIssuer).publicKey == issuer.key
    }

    /// Memberships come with people.
    private func adoptDecisions(_ records: [PublicationRecord]) throws(AuthorityError) {
        var rules: [SiteRecord] = [], revocations: [Revocation] = [], words: [SiteMessage] = []
        var ceiling: Ceiling?, issuerCeilings: [String: IssuerCeiling] = [:]
        for record in records {
            switch record {
            case .rule(let rule): rules.append(rule)
            case .ceiling(let found): ceiling = found
            case .revocation(let revocation): revocations.append(revocation)
            case .message(let word): words.append(word)
            case .issuer(let issuer): issuerCeilings[issuer.name] = issuer.ceiling
            case .gateCredential, .enrolled, .uidOnlyCard: break
            }
        }
        try database.replaceRules(with: rules)
        try database.keep(ceiling: ceiling)
        try database.keep(issuerCeilings: issuerCeilings)
        try database.replaceSiteDecisions(with: revocations, words)
    }

    private func put(_ record: PublicationRecord, inPlaceOf here: PublicationRecord?, _ rows: EnrolledRows, _ memberships: MembershipRows, now: Int64)
        throws(AuthorityError) {
        switch record {
        case .enrolled(let key):
            try rows.put(key, inPlaceOf: rows.known(key.key), now: now)
        case .uidOnlyCard(let card):
            try database.put(card, inPlaceOf: database.card(card.number), now: now)
        case .revocation(let revocation):
            if try !database.has(revocation) { try database.add(revocation, now: now) }
        case .rule(.membership(let membership)):
            // The next file of rules has the last word.
            _ = try memberships.add(membership, by: .rules)
        case .issuer, .gateCredential, .rule, .ceiling, .message: break
        }
    }

    private func remove(_ record: PublicationRecord, _ rows: EnrolledRows, _ memberships: MembershipRows) throws(AuthorityError) {
        switch record {
        case .enrolled(let key): try rows.remove(key)
        case .uidOnlyCard(let card): try database.remove(card.number)
        case .revocation(let revocation): try database.remove(revocation)
        case .rule(.membership(let membership)):
            for source in [MembershipSource.rules, .command] { _ = try memberships.remove(membership, by: source) }
        case .issuer, .gateCredential, .rule, .ceiling, .message: break
        }
    }
}
