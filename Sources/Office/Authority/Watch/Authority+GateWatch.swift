import Cryptography
import Encoding
import Evidence
import SiteData

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
            if status.acceptsNothingNew { findings.append(.syncEnded) }
            var gate = WatchedGate(gate: status.gate, findings: findings)
            (gate.version, gate.issued) = (status.data?.version, status.data?.issued)
            gate.newest = try (status.data?.epoch ?? 0) > 0 ? database.peopleVersion() : 0
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

/// One gate that the office looked at.
public struct WatchedGate: Hashable, Sendable {
    /// The gate's identifier.
    public let gate: String
    /// What is wrong with it.
    public let findings: [GateFinding]
    /// The version of the site data that it has; nil where it does not say, or has none.
    public internal(set) var version: Int64?
    /// When they were issued, UNIX seconds.
    public internal(set) var issued: Int64?
    /// The version that the office gave out last; 0 for a gate whose data are of no repository.
    public internal(set) var newest: Int64 = 0

    init(gate: String, findings: [GateFinding]) { (self.gate, self.findings) = (gate, findings) }
}

/// What is wrong with a gate that the office looked at.
public enum GateFinding: Hashable, Sendable {
    /// It has older site data than it had, or has applied fewer of them.
    case dataWentBack(what: String, found: Int64, known: Int64)
    /// Its site data are none of this office, or replaced others that did not know of them.
    case dataForked(version: Int64)
    /// Its journal is shorter than it was.
    case journalWentBack(found: UInt64, known: UInt64)
    /// At the same place of its journal there is another record than there was.
    case journalForked(sequence: UInt64)
    /// Its site data are older than they should be; UNIX seconds.
    case behind(issued: Int64)
    /// It has a newer state than this office has ever published.
    case officeBehind(found: Int64, known: Int64)
    /// It has no site data.
    case withoutData
    /// It says that it takes nothing new from its repository any more.
    case syncEnded
    /// It belongs to another site.
    case otherSite(String)
    /// None of the given audit keys signed its checkpoint.
    case unsigned

    /// Stable code.
    public var code: String {
        switch self {
        case .dataWentBack, .journalWentBack: "gate-went-back"
        case .dataForked: "gate-data-forked"
        case .journalForked: "gate-head-forked"
        case .behind, .withoutData: "gate-behind"
        case .officeBehind: "office-behind"
        case .syncEnded: "sync-ended"
        case .otherSite: "gate-of-other-site"
        case .unsigned: "gate-checkpoint-unsigned"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .dataWentBack(let what, let found, let known): "It has \(what) \(found) and has had \(known): its disk was put back to an older state."
        case .dataForked(let version):
            "Its site data (version \(version)) are none of this office's, or replaced others that did not know of them: two offices work on copies of one folder and take "
                + "turns at replacing everybody, or an old backup was restored here."
        case .journalWentBack(let found, let known): "Its journal ends at record \(found) and has had \(known): records are missing, or its disk was put back."
        case .journalForked(let sequence): "Record \(sequence) of its journal is another one than it was."
        case .behind(let issued): "Its site data are of \(UTCText.make(seconds: issued))."
        case .officeBehind(let found, let known):
            "It has version \(found), and this office knows of \(known): the office was put back to an older state. Publish nothing before what the web server gives out is copied back."
        case .withoutData: "It has no site data."
        case .syncEnded: "It takes nothing new any more, no revocation either: what a role of the repository has signed is over. 'publish', and 'ceremony' if it is root or targets."
        case .otherSite(let site): "It belongs to the site '\(site)'."
        case .unsigned: "None of the given audit keys has signed its checkpoint."
        }
    }
}
