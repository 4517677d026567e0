import Credentials
import Encoding

extension Authority {
    /// Takes something back, whether anybody has it or not (`refuseUnknown`). Gates know with the next publication.
    /// - Returns: false if it had been revoked before.
    public func revoke(_ named: Revocation, now: Int64) throws(AuthorityError) -> Bool {
        let revocation = try named.checked()
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
        let subject = try SubjectName.ofAnybody(subject)
        if try database.has(.subject(subject)) { throw .subjectRevoked(subject) }
        return try revoke(.suspended(subject), now: now)
    }

    /// Ends a suspension. Gates know with the next publication.
    public func resume(subject: String) throws(AuthorityError) {
        let subject = try SubjectName.ofAnybody(subject)
        let suspension = Revocation.suspended(subject)
        try database.transaction { () throws(AuthorityError) in
            guard try database.has(suspension) else {
                throw .notSuspended(subject, nearest: try nearest(to: subject) { if case .suspended = $0 { true } else { false } })
            }
            try database.remove(suspension)
        }
    }
}

extension Revocation {
    /// The same with names as they are kept.
    func checked() throws(AuthorityError) -> Revocation {
        switch self {
        case .subject(let subject): .subject(try SubjectName.ofAnybody(subject))
        case .suspended(let subject): .suspended(try SubjectName.ofAnybody(subject))
        case .issued(let issuer, let cti): .issued(issuer: issuer.composed, cti: cti)
        case .issuer(let issuer): .issuer(issuer.composed)
        case .token, .key: self
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

    func remove(_ revocation: Revocation) throws(AuthorityError) {
        try rememberTold(revocation)
        let delete = try prepare("DELETE FROM revocation WHERE kind = ?1 AND value = ?2 AND issuer = ?3")
        RevocationRow(revocation).bind(to: delete)
        try delete.finish()
        try leave(.revocation(revocation))
    }
}
