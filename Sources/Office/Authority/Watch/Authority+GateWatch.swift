import Audit
import Cryptography
import TrustSync

/// A gate whose whole disk was put back to an older state cannot notice that itself. The office can: it remembers the newest that each
/// gate has shown.
extension Authority {
    /// Holds what a gate says of itself (`tapstile status --json`) against what it said before.
    /// - Parameter longestSeconds: older site data are found.
    public func watch(statusAt path: String, longestSeconds: Int64, now: Int64) throws(AuthorityError) -> WatchedGate {
        guard let status = GateStatus(parsing: try Self.bytes(at: path)) else { throw .notAStatus(path: path) }
        guard status.site.utf8.elementsEqual(site.utf8) else { return WatchedGate(gate: status.gate, findings: [.otherSite(status.site)]) }
        return try database.transaction { () throws(AuthorityError) in
            let known = try database.seen(status.gate)
            var findings = status.data.map { Self.compare($0, known?.data) } ?? []
            findings += Self.compare(status.journal, known?.journal)
            if let data = status.data { findings += try forks(data) }
            if findings.isEmpty { try database.see(status, now: now) }
            findings += Self.age(of: status.data, longestSeconds: longestSeconds, now: now)
            if let data = status.data { findings += try ahead(data) }
            if status.takesNothingNew { findings.append(.syncEnded) }
            var gate = WatchedGate(gate: status.gate, findings: findings)
            (gate.version, gate.issued) = (status.data?.version, status.data?.issued)
            gate.newest = try database.newestGivenOut(inEpoch: status.data?.epoch ?? 0)
            return gate
        }
    }

    /// Holds a gate's signed checkpoint against the one before.
    /// - Parameter keys: the audit keys of the site's gates.
    public func watch(checkpointAt path: String, keys: [PublicKey], now: Int64) throws(AuthorityError) -> WatchedGate {
        let signed = try Self.checkpoint(at: path)
        let found = signed.checkpoint
        guard found.site.utf8.elementsEqual(site.utf8) else { return WatchedGate(gate: found.gate, findings: [.otherSite(found.site)]) }
        // What nobody signed must not become what a gate is held against.
        guard keys.contains(where: { signed.isSigned(by: $0) }) else { return WatchedGate(gate: found.gate, findings: [.unsigned]) }
        return try database.transaction { () throws(AuthorityError) in
            let known = try database.seenCheckpoint(of: found.gate)?.checkpoint
            let findings = Self.compare(JournalEnd(found.main), known.map { JournalEnd($0.main) })
                + Self.compare(JournalEnd(found.unproven), known.map { JournalEnd($0.unproven) })
            if findings.isEmpty { try database.see(found.gate, checkpoint: signed.raw, now: now) }
            return WatchedGate(gate: found.gate, findings: findings)
        }
    }

    /// Forgets what a gate has shown: its disk is a new one, and it begins anew.
    public func forgetWhatIsKnown(ofGate gate: String) throws(AuthorityError) { try database.forgetSeen(gate) }

    private static func compare(_ data: GateStatus.SiteData, _ known: GateStatus.SiteData?) -> [GateFinding] {
        guard let known else { return [] }
        if data.epoch < known.epoch { return [.dataWentBack(what: "epoch", found: data.epoch, known: known.epoch)] }
        if data.epoch == known.epoch, data.version < known.version {
            return [.dataWentBack(what: "version", found: data.version, known: known.version)]
        }
        return data.generation < known.generation
            ? [.dataWentBack(what: "generation", found: data.generation, known: known.generation)] : []
    }

    /// Whether what a gate has is another office's. Site data from a file of the gate's own have no number of ours.
    private func forks(_ data: GateStatus.SiteData) throws(AuthorityError) -> [GateFinding] {
        if data.isForked { return [.dataForked(version: data.version)] }
        guard let digest = data.digest, data.version > 0 else { return [] }
        let found = Predecessor(version: UInt64(clamping: data.version), digest: digest)
        return try database.isForeign(found, epoch: UInt64(clamping: data.epoch)) ? [.dataForked(version: data.version)] : []
    }

    private static func compare(_ found: JournalEnd, _ known: JournalEnd?) -> [GateFinding] {
        guard let known else { return [] }
        if found.sequence < known.sequence { return [.journalWentBack(found: found.sequence, known: known.sequence)] }
        return found.sequence == known.sequence && found.hash != known.hash ? [.journalForked(sequence: found.sequence)] : []
    }

    /// A gate cannot have what the office never published, unless the office has forgotten it. Files without a repository count otherwise.
    private func ahead(_ data: GateStatus.SiteData) throws(AuthorityError) -> [GateFinding] {
        guard data.epoch > 0, let epoch = try database.repository()?.epoch else { return [] }
        let version = try database.peopleVersion()
        return (data.epoch, data.version) > (epoch, version) ? [.officeBehind(found: data.version, known: version)] : []
    }

    private static func age(of data: GateStatus.SiteData?, longestSeconds: Int64, now: Int64) -> [GateFinding] {
        guard let data else { return [.withoutData] }
        return data.issued < now - longestSeconds ? [.behind(issued: data.issued)] : []
    }
}

extension AuthorityDatabase {
    /// The version of the newest site data of the kind that a gate has: of the repository's people, or of the last file, which knows no epoch.
    fileprivate func newestGivenOut(inEpoch epoch: Int64) throws(AuthorityError) -> Int64 {
        guard epoch == 0 else { return try peopleVersion() }
        let query = try prepare("SELECT coalesce(max(version), 0) FROM publication WHERE is_complete = 1")
        defer { query.reset() }
        return try query.next() ? query.integer(0) : 0
    }
}
