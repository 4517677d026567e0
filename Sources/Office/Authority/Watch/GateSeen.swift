import Encoding
import Evidence
import Storage

/// The newest that a gate has shown in its status.
struct GateSeen {
    let data: GateStatus.SiteData?
    let journal: JournalEnd
}

extension AuthorityDatabase {
    static let watchStep = """
        CREATE TABLE gate_seen (
            gate TEXT PRIMARY KEY, epoch INTEGER, version INTEGER, generation INTEGER, issued_at INTEGER, sequence INTEGER, head BLOB,
            checkpoint BLOB, seen_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    func seen(_ gate: String) throws(AuthorityError) -> GateSeen? {
        let query = try prepare("SELECT sequence, head, epoch, version, generation, issued_at FROM gate_seen WHERE gate = ?1 AND sequence IS NOT NULL")
        query.bind(gate, at: 1)
        defer { query.reset() }
        guard try query.next() else { return nil }
        let journal = JournalEnd(sequence: UInt64(clamping: query.integer(0)), hash: query.bytes(1))
        guard let version = query.optionalInteger(3) else { return GateSeen(data: nil, journal: journal) }
        let data = GateStatus.SiteData(epoch: query.integer(2), version: version, generation: query.integer(4), issued: query.integer(5), digest: nil, isForked: false)
        return GateSeen(data: data, journal: journal)
    }

    /// A gate that has no site data just now is still held against those it had.
    func see(_ status: GateStatus, now: Int64) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO gate_seen (gate, epoch, version, generation, issued_at, sequence, head, seen_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (gate) DO UPDATE SET epoch = coalesce(?2, epoch), version = coalesce(?3, version),
                generation = coalesce(?4, generation), issued_at = coalesce(?5, issued_at), sequence = ?6, head = ?7, seen_at = ?8
            """)
        insert.bind(status.gate, at: 1)
        insert.bind(status.data?.epoch, at: 2)
        insert.bind(status.data?.version, at: 3)
        insert.bind(status.data?.generation, at: 4)
        insert.bind(status.data?.issued, at: 5)
        insert.bind(Int64(clamping: status.journal.sequence), at: 6)
        insert.bind(status.journal.hash, at: 7)
        insert.bind(now, at: 8)
        try insert.finish()
    }

    func seenCheckpoint(of gate: String) throws(AuthorityError) -> SignedCheckpoint? {
        let query = try prepare("SELECT checkpoint FROM gate_seen WHERE gate = ?1 AND checkpoint IS NOT NULL")
        query.bind(gate, at: 1)
        defer { query.reset() }
        guard try query.next() else { return nil }
        guard let checkpoint = try? SignedCheckpoint(parsing: query.bytes(0)) else { throw .damaged }
        return checkpoint
    }

    func see(_ gate: String, checkpoint: [UInt8], now: Int64) throws(AuthorityError) {
        let insert = try prepare("""
            INSERT INTO gate_seen (gate, checkpoint, seen_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (gate) DO UPDATE SET checkpoint = ?2, seen_at = ?3
            """)
        insert.bind(gate, at: 1)
        insert.bind(checkpoint, at: 2)
        insert.bind(now, at: 3)
        try insert.finish()
    }

    func forgetSeen(_ gate: String) throws(AuthorityError) {
        let delete = try prepare("DELETE FROM gate_seen WHERE gate = ?1")
        delete.bind(gate, at: 1)
        try delete.finish()
    }
}

/// What a gate says of its site data and its journal: the parts of `tapstile status --json` that only grow.
struct GateStatus {
    /// The site data in use.
    struct SiteData {
        /// Within which versions count; 0 where there are no epochs.
        let epoch: Int64
        let version: Int64
        /// How many the gate has applied.
        let generation: Int64
        /// When they were issued, UNIX seconds.
        let issued: Int64
        /// The SHA-256 of the body, or the digest of the state; nil: an older gate does not say it.
        let digest: [UInt8]?
        /// What the gate itself says of two offices.
        let isForked: Bool
    }

    let site: String
    let gate: String
    /// Nil if it has none.
    let data: SiteData?
    let journal: JournalEnd
    /// It says that what its repository signed is over.
    let acceptsNothingNew: Bool

    /// Nil for anything else.
    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), let site = json["site"]?.string, let gate = json["gate"]?.string,
              (1...128).contains(gate.utf8.count), let trust = json["trust"],
              let sequence = json["journal"]?["sequence"]?.integer, sequence >= 0,
              let head = (json["journal"]?["head"]?.string).flatMap({ try? Hex.decode($0) }) else { return nil }
        self.site = site
        self.gate = gate
        acceptsNothingNew = json["sync"]?["warning"]?["code"]?.string == "sync-ended"
        journal = JournalEnd(sequence: UInt64(sequence), hash: head)
        guard let version = trust["version"]?.integer else {
            data = nil
            return
        }
        guard let generation = trust["generation"]?.integer, let issued = trust["issued"]?.string.flatMap(UTCText.read) else { return nil }
        data = SiteData(epoch: trust["epoch"]?.integer ?? 0, version: version, generation: generation, issued: issued / 1000,
                        digest: trust["origin"]?.string == "site-file" ? nil : trust["digest"]?.string.flatMap { try? Hex.decode($0) }, isForked: trust["fork"] != nil)
    }
}

/// The newest record of a gate's journal, as the gate names it.
struct JournalEnd: Equatable {
    let sequence: UInt64
    /// The hash of that record.
    let hash: [UInt8]
}

extension JournalEnd {
    init(_ extent: ChainExtent) { self.init(sequence: extent.sequence, hash: extent.hash) }
}
