import Credentials
import Cryptography
import Service
import Storage
import TrustSync

extension Authority {
    /// The highest version above which an export may be asked to be: whoever mistypes one has enough left to go on.
    public static let highestFloor: UInt64 = 1 << 53 - 1

    /// Writes the signed publication of the site, the file that gates import.
    ///
    /// The version is taken before anything is written and never given out again, so that an export
    /// that was interrupted leaves a gap and never two publications with one number. The file appears
    /// whole or not at all.
    /// - Parameters:
    ///   - validSeconds: for how long gates take it.
    ///   - floor: the version is above this one too: after the folder was restored from a backup. Such a publication names none before it, for the
    ///     office does not know the last one.
    public func export(to path: String, validSeconds: Int64, above floor: UInt64 = 0, now: Int64) throws(AuthorityError)
        -> ExportedPublication {
        try OutputPlace.check(path)
        let (expiresAt, overflow) = now.addingReportingOverflow(validSeconds)
        guard validSeconds > 0, !overflow else { throw .badTimes }
        let key = try siteKey()
        try database.checkSoundness()
        let predecessor = floor == 0 ? try database.newestTold() : nil
        let version = try database.beginPublication(above: floor, now: now, expiresAt: expiresAt)
        let file = try PublicationFile(replacing: path)
        let held = try addRecords(to: file, now: now)
        let manifest: [UInt8]
        do throws(PublicationError) {
            manifest = try file.writer.signedManifest(site: site, version: version, issuedAt: now, expiresAt: expiresAt, after: predecessor, key: key)
        } catch {
            throw .publication(error)
        }
        // Before anybody can have it.
        try database.told(Predecessor(version: version, digest: file.writer.bodyHash))
        let byteCount = try file.finish(manifest: manifest)
        try database.completePublication(version)
        return ExportedPublication(version: version, issuedAt: now, expiresAt: expiresAt, counts: file.counts,
                                   byteCount: byteCount, heldBack: held)
    }

    /// Gates cannot hold people against what the site allows, for who signs this file signs people: the office does.
    /// - Returns: what is left out.
    private func addRecords(to file: PublicationFile, now: Int64) throws(AuthorityError) -> [HeldBack] {
        let judge = try database.ceiling().map { PublicationJudge(ceiling: $0, pending: PendingRules(), now: now) }
        var held: [HeldBack] = []
        func add(_ record: PublicationRecord) throws(AuthorityError) {
            if let excess = judge?.excess(of: record) { held.append(HeldBack(record, .excess(excess))) } else { try file.add(record) }
        }
        for record in try issuerRecords() { try file.add(record) }
        for key in try database.gateKeys() where key.droppedAt == nil { try file.add(.gateCredential(key.claims)) }
        try file.add(.gateCredential(GateListEntry.issuer(gateIssuer(now: now).issuer).encoded))
        // Gates refuse a publication that lets in such a key; an older program may have enrolled one.
        let otherRoles = try keysOfOtherRoles()
        try database.forEachEnrolled { key, _ throws(AuthorityError) in
            guard !otherRoles.contains(key.key) else { return }
            // Nobody can give less to a key that was taken back; gates know that it was.
            if judge?.excess(of: .enrolled(key)) != nil, try database.isTakenBack(.key(thumbprint: key.key.thumbprint)) { return }
            try add(.enrolled(key))
        }
        try database.forEachUIDOnlyCard { card, _ throws(AuthorityError) in try add(.uidOnlyCard(card)) }
        try database.forEachRevocation { revocation, _ throws(AuthorityError) in
            // To a gate that knows of no suspensions it is the same: this file says all anew each time.
            if case .suspended(let subject) = revocation { try file.add(.revocation(.subject(subject))) } else { try file.add(.revocation(revocation)) }
        }
        for revocation in try database.siteRevocations() where try !database.has(revocation) { try file.add(.revocation(revocation)) }
        try database.forEachRule { rule throws(AuthorityError) in try file.add(.rule(rule)) }
        for word in try database.words() { try file.add(.word(word)) }
        try database.forEachMembership { membership throws(AuthorityError) in
            try add(.rule(.membership(membership)))
        }
        return held
    }
}

extension AuthorityDatabase {
    /// The next version, durable before it is used.
    func beginPublication(above floor: UInt64, now: Int64, expiresAt: Int64) throws(AuthorityError) -> UInt64 {
        guard floor <= Authority.highestFloor, let floor = Int64(exactly: floor) else { throw .publication(.malformedManifest) }
        return try transaction { () throws(AuthorityError) in
            let insert = try prepare("""
                INSERT INTO publication (version, begun_at, expires_at)
                VALUES (max(?1, (SELECT coalesce(max(version), 0) FROM publication)) + 1, ?2, ?3) RETURNING version
                """)
            insert.bind(floor, at: 1)
            insert.bind(now, at: 2)
            insert.bind(expiresAt, at: 3)
            var version: Int64 = 0
            defer { insert.reset() }
            while try insert.next() { version = insert.integer(0) }
            return UInt64(version)
        }
    }

    func completePublication(_ version: UInt64) throws(AuthorityError) {
        let update = try prepare("UPDATE publication SET is_complete = 1 WHERE version = ?1")
        update.bind(Int64(version), at: 1)
        try update.finish()
    }
}

/// A publication that was written.
public struct ExportedPublication: Sendable {
    /// Its version: above that of every publication begun before.
    public let version: UInt64
    /// When it was made, UNIX seconds.
    public let issuedAt: Int64
    /// The first second at which gates do not take it any more, UNIX time.
    public let expiresAt: Int64
    /// What is in it.
    public let counts: PublicationCounts
    /// Length of the whole file.
    public let byteCount: Int
    /// What of people is more than the site allows, and is not in it.
    public let heldBack: [HeldBack]
}
