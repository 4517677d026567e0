import Credentials
import Cryptography
import Spelling

/// Token issuers whose private keys are elsewhere, such as a server that invites visitors. Gates are given one only with a ceiling, which the rules
/// say and keys offline sign.
extension Authority {
    /// Takes an issuer by its public key. One that was removed comes back; of one that is there the queue changes.
    /// - Parameters:
    ///   - path: the public key, in a key file.
    ///   - queue: the file in which it says which of its tokens it has taken back; nil: nowhere.
    public func addIssuer(name: String, keyAt path: String, queue: String?, now: Int64) throws(AuthorityError) -> ListedIssuer {
        let name = try SiteName.checked(name), key = try AuthorityFolder.publicKey(at: path, role: .tokenIssuer)
        guard key.curve == .p256 else { throw .wrongCurve }
        guard !key.isWellKnown else { throw .keyWellKnown(thumbprint: key.thumbprint) }
        let known = try database.tokenIssuers()
        if let row = known.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
            guard row.isElsewhere, try issuerPublicKey(row) == key else { throw .issuerThere(name) }
            try database.setElsewhere(row.generation, queue: queue)
        } else {
            try refuse(name, key, path: path, known, now: now)
            var generation = (known.last?.generation ?? 0) + 1
            // The key file of an issuer that was never finished is no place for another's.
            while folder.has(AuthorityFolder.issuerKey(generation)) { generation += 1 }
            let file: KeyFile
            do throws(KeyFileError) { file = try KeyFile(role: .tokenIssuer, material: .public(key, .sign)) } catch { throw .keyFile(path: path, error) }
            try folder.writePublicHalf(of: file, to: AuthorityFolder.issuerPublicKey(generation))
            try database.add(TokenIssuerRow(generation: generation, name: name, madeAt: now, isInUse: false, droppedAt: nil, isElsewhere: true, queue: queue))
        }
        guard let added = try issuers().first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { throw .damaged }
        return added
    }

    /// Names and keys have one meaning; a name that looks like another one is taken for it.
    private func refuse(_ name: String, _ key: PublicKey, path: String, _ known: [TokenIssuerRow], now: Int64) throws(AuthorityError) {
        guard try !gateIssuer(now: now).issuer.name.utf8.elementsEqual(name.utf8) else { throw .sharedIssuer(name) }
        // A restored office may not know whom gates believe already.
        guard try !publishedIssuers().contains(where: { $0.name.utf8.elementsEqual(name.utf8) && $0.key != key }) else { throw .issuerThere(name) }
        var alike = AlikeNames(to: name)
        for row in known { alike.look(at: row.name) }
        if let other = alike.found.sorted().first { throw .issuerAlike(name, other: other) }
        guard try !keysOfOtherRoles().contains(key) else { throw .keyOfTwoRoles(path: path) }
        try refusePersons(key)
    }

    /// Takes it from what gates are given: they refuse all its tokens.
    public func removeIssuer(name: String, now: Int64) throws(AuthorityError) {
        let row = try activeIssuer(name)
        guard row.isElsewhere else { throw .issuerIsOurs(row.name) }
        try database.drop(issuer: row.generation, now: now)
    }

    /// Lets no token of an issuer count, until `switchOn`. Gates know with the next publication.
    /// - Returns: false if it was off before.
    public func switchOff(issuer name: String, now: Int64) throws(AuthorityError) -> Bool { try revoke(.issuer(activeIssuer(name).name), now: now) }

    /// Lets tokens of an issuer count again, but those that were revoked by themselves.
    public func switchOn(issuer name: String) throws(AuthorityError) {
        let off = Revocation.issuer(try activeIssuer(name).name)
        let ceiling = try database.issuerCeilings()[name.composed], revocations = try database.siteRevocations()
        let byRules = revocations.contains(off) || ceiling?.isOff == true
        guard !byRules, try database.has(off) else { throw .issuerNotOff(name, byRules: byRules) }
        try database.transaction { () throws(AuthorityError) in try database.remove(off) }
    }

    private func activeIssuer(_ name: String) throws(AuthorityError) -> TokenIssuerRow {
        let active = try activeIssuers()
        guard let row = active.first(where: { $0.name.utf8.elementsEqual(name.composed.utf8) }) else {
            throw .noIssuer(name, nearest: NearestName.find(name, among: active.map(\.name)))
        }
        return row
    }

    /// Those that gates are not given because the rules say nothing of them.
    func issuersWithoutCeiling() throws(AuthorityError) -> [String] {
        let ceilings = try database.issuerCeilings()
        return try activeIssuers().filter { $0.isElsewhere && ceilings[$0.name] == nil }.map(\.name)
    }
}
