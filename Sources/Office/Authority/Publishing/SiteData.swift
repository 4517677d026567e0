import Credentials
import Cryptography
import Encoding
import SiteData
import Storage

/// The part of the repository that keys offline sign: issuers, gates, rules, the most that people may be given, what the
/// site itself takes back, words.
extension Authority {
    /// The oldest version of a gate's program that reads what is published.
    static let needs = "0.1.0"

    /// The site's part as it is now: the bytes that were signed if nothing has changed, else new ones with the next count.
    func siteData(epoch: Int64, now: Int64) throws(AuthorityError) -> (version: Int64, bytes: [UInt8]) {
        let records = try siteRecords(now: now)
        let kept = try database.siteData()
        if let kept, try siteBundle(records, epoch: epoch, version: kept.version) == kept.bytes { return kept }
        let next = (kept?.version ?? 0) + 1
        return (next, try siteBundle(records, epoch: epoch, version: next))
    }

    /// In the order of keys, each once.
    func siteRecords(now: Int64) throws(AuthorityError) -> [PublicationRecord] {
        var records = try issuerRecords()
        for key in try database.gateKeys() where key.droppedAt == nil { records.append(.gateCredential(key.claims)) }
        records.append(.gateCredential(GateListEntry.issuer(try gateIssuer(now: now).issuer).encoded))
        try database.forEachRule { rule in records.append(.rule(rule)) }
        if let ceiling = try database.ceiling() { records.append(.ceiling(ceiling)) }
        records += try database.siteRevocations().map(PublicationRecord.revocation) + database.messages().map(PublicationRecord.message)
        let keyed = Dictionary(records.map { (RecordKey($0), $0) }) { first, _ in first }
        return keyed.sorted { $0.key < $1.key }.map(\.value)
    }

    private func siteBundle(_ records: [PublicationRecord], epoch: Int64, version: Int64) throws(AuthorityError) -> [UInt8] {
        var counts = PublicationCounts()
        for record in records { counts.count(record) }
        do throws(BundleError) {
            let header = try BundleHeader(part: .site, site: site, epoch: UInt64(clamping: epoch), version: UInt64(clamping: version),
                                          counts: counts, needs: Self.needs)
            var writer = BundleWriter(header)
            var bytes = writer.head
            for record in records { bytes += try writer.add(.put(record)) }
            try writer.finish()
            return bytes
        } catch {
            throw .repository(.bundle(error))
        }
    }

    /// The most that people may be given.
    func ceiling() throws(AuthorityError) -> Ceiling { try database.ceiling() ?? .standard }
}

extension AuthorityDatabase {
    /// What the rules that were taken say of it; nil if they say nothing.
    func ceiling() throws(AuthorityError) -> Ceiling? {
        let query = try prepare("SELECT places, member_of, longest, plain_cards, user_verification FROM ceiling")
        defer { query.reset() }
        guard try query.next() else { return nil }
        let groups = try Self.groups(of: query.optionalBytes(1))
        guard let rights = Rights(encodedPlaces: query.bytes(0), notBefore: nil, expiresAt: nil), let longest = query.writtenTime(2), longest ?? 1 > 0,
              let uidOnlyCards = query.writtenFlag(3), let userVerification = query.writtenFlag(4) else { throw .damaged("[people] of the rules is not as it was") }
        return Ceiling(commands: rights.scope, audiences: rights.audiences, groups: groups, longest: longest, uidOnlyCards: uidOnlyCards,
                       userVerification: userVerification)
    }

    private static func groups(of bytes: [UInt8]?) throws(AuthorityError) -> [String]? {
        guard let bytes else { return nil }
        guard let items = try? CBOR.decode(bytes).array, case let groups = items.compactMap(\.text), groups.count == items.count else {
            throw .damaged("[people] of the rules is not as it was")
        }
        return groups
    }

    /// Keeps what a file of rules says of it.
    func keep(ceiling: Ceiling?) throws(AuthorityError) {
        try prepare("DELETE FROM ceiling").finish()
        guard let ceiling else { return }
        let insert = try prepare("""
            INSERT INTO ceiling (id, places, member_of, longest, plain_cards, user_verification) VALUES (1, ?1, ?2, ?3, ?4, ?5)
            """)
        insert.bind(Rights(audiences: ceiling.audiences, scope: ceiling.commands).encodedPlaces, at: 1)
        insert.bind(ceiling.groups.map { CBOR.array($0.map(CBOR.text)).encoded }, at: 2)
        insert.bind(ceiling.longest, at: 3)
        insert.bind(ceiling.uidOnlyCards ? 1 : 0, at: 4)
        insert.bind(ceiling.userVerification ? 1 : 0, at: 5)
        try insert.finish()
    }
}
