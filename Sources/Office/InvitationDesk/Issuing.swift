import Credentials
import Cryptography
import Invitations
import Storage

/// What tokens are issued with.
struct Issuing: Sendable {
    let site: String
    let issuer: String
    let tokenValid: Int64
    let key: SigningKey

    /// Random, so that it says nothing of how many there are.
    private static let numberLength = 8

    func token(for wanted: NewInvitation, times: (notBefore: Int64, expires: Int64), to key: PublicKey, userVerified: Bool, now: Int64)
        throws(TokenError) -> Token {
        let claims = TokenClaims(
            issuer: issuer, subject: wanted.subject, audiences: wanted.audiences.isEmpty ? [Place.scheme + site] : wanted.audiences,
            notBefore: times.notBefore, expiresAt: times.expires, issuedAt: now, cti: RandomBytes.make(Self.numberLength),
            confirmationKey: COSEKey(key: key, use: .sign), scope: wanted.scope, userVerification: userVerified)
        return try Token.issue(claims, key: self.key)
    }
}

/// What a phone was granted, as it is in the database.
struct GrantedToken: Sendable {
    let token: KeptToken
    let subject: String
    let renewUntil: Int64
    let userVerified: Bool
}

/// A nonce that was used by a request whose proof is good.
struct UsedNonce: Sendable {
    let name: [UInt8]
    let madeAt: Int64
}

/// What one transaction does for a phone: first all is judged, then all is written.
extension DeskDatabase {
    func redeem(codeHash: [UInt8], key: PublicKey, isAttested: Bool, nonce: UsedNonce, _ issuing: Issuing, now: Int64)
        throws(DeskFailure) -> GrantedToken {
        let thumbprint = key.thumbprint
        guard let invitation = try inDatabase({ () throws(StorageError) in try self.invitation(codeHash: codeHash) }) else {
            throw .fault(.codeUnknown)
        }
        let redemption: Invitation.Redemption
        do throws(InvitationFault) { redemption = try invitation.redemption(by: thumbprint, now: now) } catch { throw .fault(error) }
        switch redemption {
        case .again:
            return try again(invitation, key: key, nonce: nonce, issuing, now: now)
        case .fresh:
            try checkFresh(nonce)
            try checkFree(thumbprint, now: now)
            let userVerified = invitation.wanted.userVerified || isAttested
            try inDatabase { () throws(StorageError) in
                try set(.redeemed, of: invitation.id)
                try give(invitation.id, to: key, userVerified: userVerified, now: now)
                try log(.redeemed, by: DeskLogEntry.phone, invitation: invitation.id, detail: invitation.wanted.subject, now: now)
            }
            return try issue(invitation, to: key, userVerified: userVerified, nonce: nonce, issuing, now: now)
        }
    }

    func renew(key: PublicKey, nonce: UsedNonce, _ issuing: Issuing, now: Int64) throws(DeskFailure) -> GrantedToken {
        let found = try inDatabase { () throws(StorageError) in try invitation(thumbprint: key.thumbprint) }
        guard let found, let use = found.state.use else { throw .fault(.keyUnknown) }
        do throws(InvitationFault) { try found.checkRenewal(now: now) } catch { throw .fault(error) }
        try checkFresh(nonce)
        let tokens = try inDatabase { () throws(StorageError) in try self.tokens(of: found.id, now: now) }
        // Whoever asks again and again gets what is as good as new: else one phone would fill the queue of what is revoked.
        if tokens.count >= Self.fewTokens, let newest = tokens.first, newest.isNearlyNew(now: now) {
            try inDatabase { () throws(StorageError) in try spend(nonce, now: now) }
            return found.granted(newest, userVerified: use.userVerified)
        }
        return try issue(found, to: key, userVerified: use.userVerified, nonce: nonce, issuing, now: now)
    }

    /// Of one phone.
    private static let fewTokens = 4

    /// The first token that was issued and counts still; a new one if it was revoked meanwhile.
    private func again(_ invitation: Invitation, key: PublicKey, nonce: UsedNonce, _ issuing: Issuing, now: Int64)
        throws(DeskFailure) -> GrantedToken {
        let userVerified = invitation.state.use?.userVerified ?? false
        if let first = try inDatabase({ () throws(StorageError) in try tokens(of: invitation.id, now: now).last }) {
            try inDatabase { () throws(StorageError) in try spend(nonce, now: now) }
            return invitation.granted(first, userVerified: userVerified)
        }
        try checkFresh(nonce)
        return try issue(invitation, to: key, userVerified: userVerified, nonce: nonce, issuing, now: now)
    }

    private func issue(_ invitation: Invitation, to key: PublicKey, userVerified: Bool, nonce: UsedNonce, _ issuing: Issuing, now: Int64)
        throws(DeskFailure) -> GrantedToken {
        let token: Token
        let times = invitation.tokenTimes(now: now, tokenValid: issuing.tokenValid)
        do throws(TokenError) {
            token = try issuing.token(for: invitation.wanted, times: times, to: key, userVerified: userVerified, now: now)
        } catch {
            throw .desk(.token(error))
        }
        try inDatabase { () throws(StorageError) in
            try spend(nonce, now: now)
            try add(token, of: invitation.id, now: now)
            try forgetOldTokens(now: now)
        }
        return invitation.granted(KeptToken(token, now: now), userVerified: userVerified)
    }

    private func checkFresh(_ nonce: UsedNonce) throws(DeskFailure) {
        let isUsed = try inDatabase { () throws(StorageError) in try self.isUsed(nonce.name) }
        if isUsed { throw .fault(.nonceUnknown) }
    }

    /// A key has one invitation at a time. One that is over is none; what was revoked stays so until then.
    private func checkFree(_ thumbprint: [UInt8], now: Int64) throws(DeskFailure) {
        guard let other = try inDatabase({ () throws(StorageError) in try invitation(thumbprint: thumbprint) }) else { return }
        guard other.wanted.expires <= now else { throw .fault(.keyInUse) }
        try inDatabase { () throws(StorageError) in try release(other.id) }
    }
}

extension KeptToken {
    /// Whether less than a quarter of its time has gone.
    fileprivate func isNearlyNew(now: Int64) -> Bool { now >= issuedAt && now - issuedAt < (expires - issuedAt) / 4 }
}

extension Invitation {
    fileprivate func granted(_ token: KeptToken, userVerified: Bool) -> GrantedToken {
        GrantedToken(token: token, subject: wanted.subject, renewUntil: wanted.expires, userVerified: userVerified)
    }
}
