import Credentials
import Cryptography
import Files
import Glibc
import Service
import SiteData
import SiteRules
import Storage

/// The site's data as bundles of a repository: the site's part, people whole at version 1, and 10,000 changes that lead to version 2. Half of the
/// enrolled phones that are presented are among the changes. A million enrolled keys, a hundred thousand revocations, and a rule for a group of a million
/// members, so that every tap asks for groups: making them takes some time, so they are kept and used again by the next run with the same numbers.
struct BundleFiles {
    /// How many keys the changes have at most.
    private static let mostChanges = 10_000
    /// Changes when anything in the content does.
    private static let format = 2
    /// People whole have heads of so many versions, for one gate may take them again and again.
    static let versions: UInt64 = 8
    private static let group = "everybody"

    /// Where they lie.
    let folder: String

    /// Bundles that were made before.
    init(folder: String) { self.folder = folder }

    /// The bundles, made if they are not there.
    init(cache: String, enrolled: Int, revocations: Int, memberships: Int, keys: SiteKeys, report: Report) throws {
        folder = "\(cache)/bundles-\(Self.format)-\(enrolled)-\(revocations)-\(memberships)"
        guard access("\(folder)/complete", F_OK) != 0 else { return }
        report.note("making bundles of \(enrolled) enrolled keys, \(revocations) revocations and \(memberships) memberships; they are kept in \(folder)")
        try Folder.make(folder)
        try write(try Self.people(enrolled: enrolled, revocations: revocations, memberships: memberships), keys)
        try SmallFile.replace("\(folder)/complete", with: [])
    }

    /// Opens one of the three: `site`, `full`, `changes`.
    func open(_ name: String) throws(BenchError) -> Int32 {
        let file = Glibc.open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError("cannot read \(folder)/\(name)") }
        return file
    }

    /// The size of one in MiB.
    func mebibytes(_ name: String) -> Double { Folder.mebibytes("\(folder)/\(name)") }

    /// What the metadata would say at a version.
    func update(version: UInt64) throws -> RepositoryUpdate {
        let digest = try SmallFile.read("\(folder)/digest-\(version)")
        return RepositoryUpdate(
            site: SiteKeys.site, state: SignedState(epoch: 1, version: version, digest: digest), siteHash: [1], issuedAt: UnixTime.now - 10,
            expiresAt: UnixTime.now + 86400)
    }

    /// The state of people at version 1, which whole bundles of other versions have, too.
    func state(ofWhole version: UInt64) throws -> SignedState {
        SignedState(epoch: 1, version: version, digest: try SmallFile.read("\(folder)/digest-1"))
    }

    // Making them --------------------------------------------------------------------------------

    private static let ceiling = Ceiling(
        commands: [TokenClaims.defaultCommand], audiences: [], groups: nil, longest: nil, uidOnlyCards: true, userVerification: true)

    private func write(_ people: [PublicationRecord], _ keys: SiteKeys) throws {
        let site: [PublicationRecord] = [
            .issuer(TokenIssuer(name: SiteKeys.site, key: keys.issuer.publicKey)), .rule(.access(AccessRule(group: Self.group))), .ceiling(Self.ceiling)
        ]
        try write(site.map(BundleItem.put), "site", sum: nil, counts: Self.counts(site), from: nil)
        var (sum, counts) = (StateSum(), PublicationCounts())
        for record in people {
            sum.add(record)
            counts.count(record)
        }
        try write(people.map(BundleItem.put), "full", sum: sum, counts: counts, from: nil)
        let items = try changed(people, min(Self.mostChanges, max(people.count / 20, 2 * PhoneBook.count)))
        var before: [RecordKey: PublicationRecord] = [:]
        let changed = Set(items.map(\.key))
        for record in people where changed.contains(RecordKey(record)) { before[RecordKey(record)] = record }
        for item in items {
            if let old = before[item.key] {
                sum.subtract(old)
                counts.uncount(old)
            }
            guard case .put(let record) = item else { continue }
            sum.add(record)
            counts.count(record)
        }
        try write(items, "changes", sum: sum, counts: counts, from: 1)
    }

    private static func counts(_ records: [PublicationRecord]) -> PublicationCounts { records.reduce(into: PublicationCounts()) { $0.count($1) } }

    private func write(_ items: [BundleItem], _ name: String, sum: StateSum?, counts: PublicationCounts, from: UInt64?) throws {
        let version: UInt64 = from == nil ? 1 : 2
        let digest = sum?.digest(site: SiteKeys.site, counts: counts)
        if let digest { try SmallFile.replace("\(folder)/digest-\(version)", with: digest) }
        func header(_ version: UInt64) throws -> BundleHeader {
            try BundleHeader(part: sum == nil ? .site : .people, site: SiteKeys.site, epoch: 1, version: version, counts: counts, digest: digest, needs: "0.1.0",
                             from: from)
        }
        if sum != nil, from == nil {
            for version in 1...Self.versions { try SmallFile.replace("\(folder)/head-\(version)", with: BundleWriter(header(version)).head) }
        }
        var writer = BundleWriter(try header(version), ceiling: sum == nil ? nil : Self.ceiling, issuedAt: UnixTime.now)
        let file = try OutputFile("\(folder)/\(name)")
        try file.write(writer.head)
        for item in items { try file.write(writer.add(item)) }
        try writer.finish()
        try file.flush()
    }

    /// Everybody at version 1, in order.
    private static func people(enrolled: Int, revocations: Int, memberships: Int) throws -> [PublicationRecord] {
        let strangers = try StrangerKeys()
        var records = try (0..<PhoneBook.count).map { PublicationRecord.enrolled(try PhoneBook.enrolledKey($0)) }
        for index in records.count..<max(enrolled, records.count) { records.append(.enrolled(stranger(index, try strangers.next()))) }
        records += try SoakPhones.enrolledKeys().map { .enrolled($0) }
        records += (0..<revocations).map { .revocation(revocation($0)) }
        records += try SoakPhones.revocations().map { .revocation($0) }
        let presented = (0..<PhoneBook.count).flatMap { ["visitor-\($0)", "member-\($0)"] }
        let members = presented + (presented.count..<max(memberships, presented.count)).map { "person-\($0)" }
        records += members.map { .rule(.membership(Membership(group: group, subject: $0))) }
        return sorted(records)
    }

    /// Of every kind a quarter; none concerns the phones of `PhoneBook`.
    private static func revocation(_ index: Int) -> Revocation {
        let bytes = SiteKeys.bytes("revoked \(index)")
        return switch index % 4 {
        case 0: TokenIdentifier(bytes).map { .token($0) } ?? .key(thumbprint: bytes)
        case 1: .issued(issuer: SiteKeys.site, cti: Array(bytes.prefix(8)))
        case 2: .subject("gone-\(index)")
        default: .key(thumbprint: bytes)
        }
    }

    private static func sorted(_ records: [PublicationRecord]) -> [PublicationRecord] {
        records.map { (key: RecordKey($0), record: $0) }.sorted { $0.key < $1.key }.map(\.record)
    }

    private static func stranger(_ index: Int, _ key: PublicKey) -> EnrolledKey {
        EnrolledKey(keyIdentifier: Array(key.thumbprint.prefix(8)), key: key, use: .sign, subject: "person-\(index)")
    }

    /// Of ten changes four are new keys, three keys with another end, one a key that is gone; the others are memberships and revocations.
    private func changed(_ people: [PublicationRecord], _ changes: Int) throws -> [BundleItem] {
        var items: [RecordKey: BundleItem] = [:]
        func put(_ record: PublicationRecord) { items[RecordKey(record)] = .put(record) }
        for index in stride(from: 0, to: PhoneBook.count, by: 2) { put(.enrolled(Self.ending(try PhoneBook.enrolledKey(index)))) }
        let presented = Set((0..<PhoneBook.count).map { "member-\($0)" })
        let others = people.compactMap { record -> EnrolledKey? in
            if case .enrolled(let key) = record, !presented.contains(key.subject) { key } else { nil }
        }
        let distance = max(1, others.count / (changes * 4 / 10))
        for (number, place) in stride(from: 0, to: others.count, by: distance).prefix(changes * 4 / 10).enumerated() {
            if number % 4 == 3 {
                let key = RecordKey(enrolled: others[place].key.thumbprint)
                items[key] = .gone(key)
            } else {
                put(.enrolled(Self.ending(others[place])))
            }
        }
        for index in 0..<(changes / 10) { put(.revocation(.subject("gone-\(index)"))) }
        for index in 0..<(changes / 10) { put(.rule(.membership(Membership(group: "others", subject: "person-\(index * 7)")))) }
        for index in 0..<changes where items.count < changes {
            put(.enrolled(Self.stranger(index, try SiteKeys.signing("new \(index)").publicKey)))
        }
        return items.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func ending(_ key: EnrolledKey) -> EnrolledKey {
        EnrolledKey(keyIdentifier: key.keyIdentifier, key: key.key, use: key.use, subject: key.subject, expiresAt: UnixTime.now + 10 * 365 * 86400)
    }
}
