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

    /// Who had the keys and tokens that were taken back, as far as it is known here.
    public func holdersOfRevoked() throws(AuthorityError) -> [Revocation: Set<String>] { try database.holdersOfRevoked() }

    /// The keys of the site's gates, oldest first, those too that phones are given no more.
    public func gateKeys() throws(AuthorityError) -> [ListedGateKey] {
        var keys: [ListedGateKey] = []
        for row in try database.gateKeys() {
            keys.append(ListedGateKey(group: row.name, generation: row.generation, use: row.use, key: try row.key, claims: row.claims,
                                      madeAt: row.madeAt, isEmergency: row.isEmergency, droppedAt: row.droppedAt))
        }
        return keys
    }
}
