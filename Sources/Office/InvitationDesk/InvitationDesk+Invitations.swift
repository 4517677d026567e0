import Invitations
import Storage

extension InvitationDesk {
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

    /// Suspends an access: its tokens are revoked, and it gets no others until it is resumed.
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
        let isWhole = try change { database throws(DeskFailure) in try database.writeQueue(to: place, settings, now: now) }
        guard isWhole else { throw .queueFull }
    }

    /// The newest entries of the log, the newest first.
    public func log(limit: Int) throws(DeskError) -> [DeskLogEntry] { try look { database throws(StorageError) in try database.log(limit: limit) } }

    /// Holds the whole log against its hashes.
    public func checkLog() throws(DeskError) {
        if let entry = try look({ database throws(StorageError) in try database.brokenLogEntry() }) { throw .logBroken(entry: entry) }
    }

    /// Changes the state of an invitation, and in the same transaction what was revoked, what the office reads, and the log. A queue that is full is
    /// told afterwards: whom an operator takes something from gets no token here, whatever the office learns of it.
    private func move(_ id: Int64, _ action: DeskLogEntry.Action, by who: String, now: Int64,
                      to next: @escaping @Sendable (InvitationState) -> InvitationState.Name?) throws(DeskError) {
        let place = place, settings = settings
        let isWhole = try change { database throws(DeskFailure) -> Bool in
            guard let found = try inDatabase({ () throws(StorageError) in try database.invitation(id) }) else { throw .desk(.noInvitation(id)) }
            guard let state = next(found.state) else { throw .desk(.otherState(id, found.state.name)) }
            try inDatabase { () throws(StorageError) in
                try database.set(state, of: id)
                if state != .redeemed { try database.revokeTokens(of: id, now: now) }
                try database.log(action, by: who, invitation: id, detail: found.wanted.subject, now: now)
            }
            return try database.writeQueue(to: place, settings, now: now)
        }
        guard isWhole else { throw .queueFull }
    }
}

extension DeskDatabase {
    /// Inside the transaction: SQLite's lock is what keeps two programs from writing an older queue over a newer one. If the transaction is lost
    /// after that, the queue takes back more than was meant until it is written again, and never less.
    /// - Returns: whether all of it went in.
    fileprivate func writeQueue(to place: DeskFolder, _ settings: DeskSettings, now: Int64) throws(DeskFailure) -> Bool {
        let known = try inDatabase { () throws(StorageError) in try revokedEntries(now: now) }
        // What is revoked stays so: an older copy of the database that was put back knows less than the queue.
        let written = place.queue().map { $0.site == settings.site && $0.issuer == settings.issuer ? $0.revoked : [] } ?? []
        let numbers = Set(known.map(\.cti)), forgotten = written.filter { $0.until > now && !numbers.contains($0.cti) }
        let entries = forgotten.isEmpty ? known : (known + forgotten).sorted { $0.until > $1.until }
        let queue = RevokedQueue(site: settings.site, issuer: settings.issuer, revoked: Array(entries.prefix(RevokedQueue.mostEntries)))
        do throws(DeskError) { try place.write(queue) } catch { throw .desk(error) }
        return entries.count <= RevokedQueue.mostEntries
    }
}
