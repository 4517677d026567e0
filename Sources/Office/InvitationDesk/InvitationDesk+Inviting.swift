import Credentials
import Encoding
import Invitations
import Storage

extension InvitationDesk {
    /// An invitation with its code, which nobody can be told again.
    public typealias MadeInvitation = (code: InvitationCode, invitation: Invitation)

    /// Makes an invitation.
    public func invite(_ invitation: NewInvitation, by who: String, now: Int64) throws(DeskError) -> MadeInvitation {
        guard let made = try invite([invitation], by: who, now: now).first else { preconditionFailure("one for each") }
        return made
    }

    /// Makes several, all or none: whoever repeats a list that was refused invites nobody twice.
    public func invite(_ invitations: [NewInvitation], by who: String, now: Int64) throws(DeskError) -> [MadeInvitation] {
        var prepared: [(wanted: NewInvitation, code: InvitationCode, opensUntil: Int64)] = []
        for invitation in invitations {
            let wanted = try checked(invitation, now: now)
            prepared.append((wanted, .make(), min(now + wanted.opensFor, wanted.expires)))
        }
        let rows = prepared.map { (wanted: $0.wanted, codeHash: $0.code.hash, opensUntil: $0.opensUntil) }
        let numbers = try change { database throws(DeskFailure) in
            try inDatabase { () throws(StorageError) in
                var numbers: [Int64] = []
                for row in rows {
                    let id = try database.add(row.wanted, codeHash: row.codeHash, opensUntil: row.opensUntil, by: who, now: now)
                    try database.log(.invited, by: who, invitation: id, detail: row.wanted.subject, now: now)
                    numbers.append(id)
                }
                return numbers
            }
        }
        return zip(numbers, prepared).map { id, made in
            (made.code, Invitation(id: id, wanted: made.wanted, opensUntil: made.opensUntil, madeBy: who, madeAt: now, state: .open))
        }
    }

    /// An invitation as it would be kept: names in the composed form. Nobody is invited by it.
    /// - Throws: what no gate or phone would understand.
    public func checked(_ invitation: NewInvitation, now: Int64) throws(DeskError) -> NewInvitation {
        let wanted = try invitation.checked(site: settings.site, now: now)
        try checkToken(of: wanted, now: now)
        return wanted
    }

    /// A token that no gate or phone would take is found now, and not when a visitor stands at the gate.
    private func checkToken(of wanted: NewInvitation, now: Int64) throws(DeskError) {
        let issuing = Issuing(site: settings.site, issuer: settings.issuer, tokenValid: settings.tokenValid, key: key)
        let token: Token
        do throws(TokenError) {
            token = try issuing.token(for: wanted, times: (wanted.notBefore ?? now, wanted.expires), to: key.publicKey, userVerified: true, now: now)
        } catch {
            throw .token(error)
        }
        guard token.raw.count <= DeskError.longestToken else { throw .tokenTooLong(bytes: token.raw.count) }
    }
}

extension NewInvitation {
    private static let opensRange: ClosedRange<Int64> = 60...(366 * 86_400)
    private static let longestText = 256, longestNote = 500
    /// The last second of the year 9999, which is the last that can be written.
    private static let latestTime: Int64 = 253_402_300_799

    /// The same with names in the composed form. Refuses what no gate would understand.
    fileprivate func checked(site: String, now: Int64) throws(DeskError) -> NewInvitation {
        var wanted = self
        wanted.subject = subject.composed
        wanted.audiences = audiences.map(\.composed)
        wanted.scope = scope.map(\.composed)
        guard (1...Self.longestText).contains(wanted.subject.utf8.count), NameRule.allows(wanted.subject) else { throw .badName(wanted.subject) }
        let ours = Place.scheme + site
        for place in wanted.audiences {
            guard Place.isAudience(place), place == ours || place.hasPrefix(ours + "/") else { throw .badAudience(place) }
        }
        guard !wanted.scope.isEmpty else { throw .badCommand("") }
        for command in wanted.scope { guard TokenClaims.isCommand(command) else { throw .badCommand(command) } }
        guard expires > now, expires <= Self.latestTime, notBefore ?? 0 >= 0, notBefore ?? 0 < expires, Self.opensRange.contains(opensFor) else {
            throw .badTimes
        }
        guard note.utf8.count <= Self.longestNote, NameRule.unseen(in: note) == nil else { throw .badNote }
        return wanted
    }
}
