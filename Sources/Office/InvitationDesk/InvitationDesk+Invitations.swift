import Credentials
import Cryptography
import Encoding
import Invitations
import Storage

extension InvitationDesk {
    /// Makes an invitation.
    /// - Returns: its code, which nobody can be told again, and what was kept.
    public func invite(_ invitation: NewInvitation, by who: String, now: Int64) throws(DeskError) -> (code: InvitationCode, invitation: Invitation) {
        let wanted = try invitation.checked(site: settings.site, now: now)
        try checkToken(of: wanted, now: now)
        let code = InvitationCode.make(), hash = code.hash
        let opensUntil = min(now + wanted.opensFor, wanted.expires)
        let id = try change { database throws(DeskFailure) in
            try inDatabase { () throws(StorageError) in
                let id = try database.add(wanted, codeHash: hash, opensUntil: opensUntil, by: who, now: now)
                try database.log(.invited, by: who, invitation: id, detail: wanted.subject, now: now)
                return id
            }
        }
        return (code, Invitation(id: id, wanted: wanted, opensUntil: opensUntil, madeBy: who, madeAt: now, state: .open))
    }

    /// Invitations, the newest first.
    public func invitations(_ filter: InvitationFilter = InvitationFilter()) throws(DeskError) -> [Invitation] {
        try look { database throws(StorageError) in try database.invitations(filter) }
    }

    /// One invitation.
    public func invitation(_ id: Int64) throws(DeskError) -> Invitation {
        guard let found = try look({ database throws(StorageError) in try database.invitation(id) }) else { throw .noInvitation(id) }
        return found
    }

    /// Withdraws an invitation: its code is good for nothing, and if a key has it, its access is revoked.
    public func withdraw(_ id: Int64, by who: String, now: Int64) throws(DeskError) {
        try move(id, .withdrawn, by: who, now: now) { state in
            switch state {
            case .open: .withdrawn
            case .redeemed, .suspended: .revoked
            case .withdrawn, .revoked: nil
            }
        }
    }

    /// Suspends an access: its tokens are taken back, and it gets no others until it is resumed.
    public func suspend(_ id: Int64, by who: String, now: Int64) throws(DeskError) {
        try move(id, .suspended, by: who, now: now) { state in
            switch state {
            case .redeemed: .suspended
            case .open, .withdrawn, .suspended, .revoked: nil
            }
        }
    }

    /// Resumes an access: the phone gets a new token when it next renews.
    public func resume(_ id: Int64, by who: String, now: Int64) throws(DeskError) {
        try move(id, .resumed, by: who, now: now) { state in
            switch state {
            case .suspended: .redeemed
            case .open, .withdrawn, .redeemed, .revoked: nil
            }
        }
    }

    /// Takes an access back for good.
    public func revoke(_ id: Int64, by who: String, now: Int64) throws(DeskError) {
        try move(id, .revoked, by: who, now: now) { state in
            switch state {
            case .redeemed, .suspended: .revoked
            case .open, .withdrawn, .revoked: nil
            }
        }
    }

    /// Writes the queue for the office anew: tokens that have ended go, and one that was lost is there again.
    public func writeQueue(now: Int64) throws(DeskError) {
        let place = place, settings = settings
        try change { database throws(DeskFailure) in try database.writeQueue(to: place, settings, now: now) }
    }

    /// The newest entries of the log, the newest first.
    public func log(limit: Int) throws(DeskError) -> [DeskLogEntry] { try look { database throws(StorageError) in try database.log(limit: limit) } }

    /// Holds the whole log against its hashes.
    public func checkLog() throws(DeskError) {
        if let entry = try look({ database throws(StorageError) in try database.brokenLogEntry() }) { throw .logBroken(entry: entry) }
    }

    /// Changes the state of an invitation, and in the same transaction what was taken back, what the office reads, and the log.
    private func move(_ id: Int64, _ action: DeskLogEntry.Action, by who: String, now: Int64,
                      to next: @escaping @Sendable (InvitationState) -> InvitationState.Name?) throws(DeskError) {
        let place = place, settings = settings
        try change { database throws(DeskFailure) in
            guard let found = try inDatabase({ () throws(StorageError) in try database.invitation(id) }) else { throw .desk(.noInvitation(id)) }
            guard let state = next(found.state) else { throw .desk(.otherState(id, found.state.name)) }
            try inDatabase { () throws(StorageError) in
                try database.set(state, of: id)
                if state != .redeemed { try database.takeBackTokens(of: id, now: now) }
                try database.log(action, by: who, invitation: id, detail: found.wanted.subject, now: now)
            }
            try database.writeQueue(to: place, settings, now: now)
        }
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

extension DeskDatabase {
    /// Inside the transaction: SQLite's lock is what keeps two programs from writing an older queue over a newer one. If the transaction is lost
    /// after that, the queue takes back more than was meant until it is written again, and never less.
    fileprivate func writeQueue(to place: DeskFolder, _ settings: DeskSettings, now: Int64) throws(DeskFailure) {
        let entries = try inDatabase { () throws(StorageError) in try takenBack(now: now) }
        let queue = RevokedQueue(site: settings.site, issuer: settings.issuer, revoked: entries)
        do throws(DeskError) { try place.write(queue) } catch { throw .desk(error) }
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
