import Credentials

extension Authority {
    /// Takes something back. Gates know with the next publication they import.
    /// - Returns: false if it had been revoked before.
    public func revoke(_ revocation: Revocation, now: Int64) throws(AuthorityError) -> Bool {
        if case .subject(let subject) = revocation, !(1...256).contains(subject.utf8.count) { throw .badSubject }
        return try database.transaction { () throws(AuthorityError) in
            guard try !database.has(revocation) else { return false }
            try database.add(revocation, now: now)
            return true
        }
    }
}

extension AuthorityDatabase {
    func has(_ revocation: Revocation) throws(AuthorityError) -> Bool {
        let query = try prepare("SELECT 1 FROM revocation WHERE kind = ?1 AND value = ?2 AND issuer = ?3")
        RevocationRow(revocation).bind(to: query)
        return try query.exists()
    }

    func add(_ revocation: Revocation, now: Int64) throws(AuthorityError) {
        let insert = try prepare("INSERT INTO revocation (kind, value, issuer, revoked_at) VALUES (?1, ?2, ?3, ?4)")
        RevocationRow(revocation).bind(to: insert)
        insert.bind(now, at: 4)
        try insert.finish()
    }
}
