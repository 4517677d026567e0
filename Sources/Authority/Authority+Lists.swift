import Credentials

extension Authority {
    /// Goes through the tokens that were issued, oldest first.
    public func forEachToken(_ body: (IssuedToken) -> Void) throws(AuthorityError) {
        try database.forEachToken { token in body(token) }
    }

    /// Goes through the enrolled keys, each with the time at which it was enrolled.
    public func forEachEnrolled(_ body: (EnrolledKey, _ at: Int64) -> Void) throws(AuthorityError) {
        try database.forEachEnrolled { key, time in body(key, time) }
    }

    /// Goes through the revocations, oldest first, each with its time.
    public func forEachRevocation(_ body: (Revocation, _ at: Int64) -> Void) throws(AuthorityError) {
        try database.forEachRevocation { revocation, time in body(revocation, time) }
    }

    /// Goes through the credentials of the site's gates, each with the name of its group.
    public func forEachGateCredential(_ body: (_ group: String, _ claims: [UInt8]) -> Void) throws(AuthorityError) {
        try database.forEachGateCredential { name, claims in body(name, claims) }
    }
}
