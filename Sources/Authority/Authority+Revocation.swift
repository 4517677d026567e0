import Credentials

extension Authority {
    /// Takes something back. Gates know with the next publication they import.
    /// - Returns: false if it had been revoked before.
    public func revoke(_ revocation: Revocation, now: Int64) throws(AuthorityError) -> Bool {
        switch revocation {
        case .subject(let subject), .suspended(let subject):
            guard (1...256).contains(subject.utf8.count) else { throw .badSubject }
        case .token, .issued, .key:
            break
        }
        return try database.transaction { () throws(AuthorityError) in
            guard try !database.has(revocation) else { return false }
            try database.add(revocation, now: now)
            return true
        }
    }
}

extension Authority {
    /// Lets nothing of a person or account count, until `resume`. What they hold stays theirs, and they may be given more.
    /// - Returns: false if they had been suspended before.
    public func suspend(subject: String, now: Int64) throws(AuthorityError) -> Bool {
        if try database.has(.subject(subject)) { throw .subjectRevoked(subject) }
        return try revoke(.suspended(subject), now: now)
    }

    /// Ends a suspension. Gates know with the next publication they import.
    public func resume(subject: String) throws(AuthorityError) {
        let suspension = Revocation.suspended(subject)
        try database.transaction { () throws(AuthorityError) in
            guard try database.has(suspension) else { throw .notSuspended(subject) }
            try database.remove(suspension)
        }
    }
}

extension AuthorityDatabase {
    func has(_ revocation: Revocation) throws(AuthorityError) -> Bool {
        let query = try kept("SELECT 1 FROM revocation WHERE kind = ?1 AND value = ?2 AND issuer = ?3")
        RevocationRow(revocation).bind(to: query)
        return try query.exists()
    }

    func add(_ revocation: Revocation, now: Int64) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO revocation (kind, value, issuer, revoked_at, state_version) VALUES (?1, ?2, ?3, ?4, \(Self.nextState))
            """)
        RevocationRow(revocation).bind(to: insert)
        insert.bind(now, at: 4)
        try insert.finish()
        try comeBack(.revocation(revocation))
    }

    fileprivate func remove(_ revocation: Revocation) throws(AuthorityError) {
        try rememberTold(revocation)
        let delete = try prepare("DELETE FROM revocation WHERE kind = ?1 AND value = ?2 AND issuer = ?3")
        RevocationRow(revocation).bind(to: delete)
        try delete.finish()
        try leave(.revocation(revocation))
    }
}
