import Cryptography

extension Authority {
    /// Every key that speaks for something else than a person: gates, now or once, issuers, the site.
    func keysOfOtherRoles() throws(AuthorityError) -> Set<PublicKey> {
        var keys: Set<PublicKey> = []
        for row in try database.gateKeys() { keys.insert(try row.key) }
        for row in try database.tokenIssuers() { keys.insert(try issuerPublicKey(row)) }
        if folder.has(AuthorityFolder.gateIssuerKey) { keys.insert(try folder.key(AuthorityFolder.gateIssuerKey, role: .gateIssuer).publicKey) }
        if let key = try oldSiteKey() { keys.insert(key) }
        return keys
    }

    /// What signed publications in one file, in a folder from before the first release.
    func oldSiteKey() throws(AuthorityError) -> PublicKey? {
        guard folder.has(AuthorityFolder.oldSiteKey) else { return nil }
        return try folder.key(AuthorityFolder.oldSiteKey, role: .site).publicKey
    }

    /// Refuses a key that speaks for something else than a person: nobody is let in with it.
    func refuseOtherRoles(_ key: PublicKey) throws(AuthorityError) {
        guard try !keysOfOtherRoles().contains(key) else { throw .notAPersons(thumbprint: key.thumbprint) }
    }

    /// Refuses a key for gates that a person has.
    func refusePersons(_ key: PublicKey) throws(AuthorityError) {
        guard try !database.isPersons(thumbprint: key.thumbprint) else { throw .aPersons(thumbprint: key.thumbprint) }
    }
}

extension AuthorityDatabase {
    /// Whether a key is enrolled, or a token was ever issued for it.
    func isPersons(thumbprint: [UInt8]) throws(AuthorityError) -> Bool {
        let query = try prepare("SELECT 1 FROM enrolled WHERE thumbprint = ?1 UNION ALL SELECT 1 FROM token WHERE thumbprint = ?1")
        query.bind(thumbprint, at: 1)
        return try query.exists()
    }
}
