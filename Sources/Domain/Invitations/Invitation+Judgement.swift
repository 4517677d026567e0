/// What an invitation is good for at a moment.
extension Invitation {
    /// What becomes of a request to redeem it.
    public enum Redemption: Hashable, Sendable {
        /// It is the key's from now on.
        case fresh
        /// It is the key's already, which gets again what it got.
        case again
    }

    /// Whether a page may go on with the code. During the time in which a key may ask again it may: nobody knows yet whose page asks.
    public func checkBeginning(now: Int64) throws(InvitationFault) {
        if case .redeemed(let use) = state, isRepetition(of: use, now: now), now < wanted.expires { return }
        _ = try redemption(by: [], now: now)
    }

    /// Whether a key may have it.
    /// - Parameter thumbprint: of the key, whose proof is good.
    public func redemption(by thumbprint: [UInt8], now: Int64) throws(InvitationFault) -> Redemption {
        switch state {
        case .withdrawn: throw .codeWithdrawn
        case .open:
            guard now < min(opensUntil, wanted.expires) else { throw .codeExpired }
            if let from = wanted.notBefore, now < from { throw .notYet(from: from) }
            return .fresh
        case .redeemed(let use):
            guard use.thumbprint == thumbprint, isRepetition(of: use, now: now) else { throw .codeUsed }
            guard now < wanted.expires else { throw .codeExpired }
            return .again
        // Whoever has only the code learns no more than that it was used.
        case .suspended(let use): throw use.thumbprint == thumbprint ? .suspended : .codeUsed
        case .revoked(let use): throw use.thumbprint == thumbprint ? .revoked : .codeUsed
        }
    }

    /// Whether the key that has it may have another token.
    public func checkRenewal(now: Int64) throws(InvitationFault) {
        switch state {
        case .open, .withdrawn: throw .keyUnknown
        case .suspended: throw .suspended
        case .revoked: throw .revoked
        case .redeemed: break
        }
        guard now < wanted.expires else { throw .over }
        if let from = wanted.notBefore, now < from { throw .notYet(from: from) }
    }

    /// The times of a token that is issued now.
    /// - Parameter tokenValid: for how many seconds one is valid at most, from its first second on: a ceiling at the gate counts the same.
    public func tokenTimes(now: Int64, tokenValid: Int64) -> (notBefore: Int64, expires: Int64) {
        // Gates' clocks may be behind.
        let begins = max(wanted.notBefore ?? 0, now - Self.clockSkew, 0)
        return (begins, min(begins + tokenValid, wanted.expires))
    }

    private func isRepetition(of use: InvitationUse, now: Int64) -> Bool { now - use.at < Self.repetition }

    private static let clockSkew: Int64 = 300
}
