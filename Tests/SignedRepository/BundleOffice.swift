import SiteData

/// An office in a test: it knows people and what the site decides, when it last changed whom, and makes bundles of that. It knows nothing of keys, and
/// nothing of how gates keep what it says.
package struct BundleOffice: Sendable {
    /// The site.
    package let name: String
    /// Set by itself, it is no decision: the office says then of its own state what is not so.
    package var people: [RecordKey: PublicationRecord] = [:]
    package var site: [PublicationRecord]
    package var epoch: UInt64 = 1
    package private(set) var version: UInt64 = 1
    /// What headers of changes say of zones in the place of what is so.
    package var forged: (@Sendable ([String: [UInt8]]) -> [String: [UInt8]]?)?
    private var changed: [RecordKey: UInt64] = [:]
    private var sum = StateSum()
    private var zoneSums: ZoneSums
    private var zoneChanged: [String: UInt64] = [:]

    /// All kinds of records may occur, and every command that tests know.
    package static let ceiling = Ceiling(commands: ["tokn", "hold", "a", "b b", "ä"], audiences: [], groups: nil, longest: nil, uidOnlyCards: true, userVerification: true)

    package init(site name: String, _ records: [PublicationRecord] = [], site: [PublicationRecord] = []) {
        self.name = name
        self.site = site
        zoneSums = ZoneSums(site: name)
        for record in records { replace(RecordKey(record), with: record) }
    }

    // What is decided ----------------------------------------------------------------------------

    /// A new version with some records put and some taken away.
    package mutating func publish(_ put: [PublicationRecord] = [], gone: [RecordKey] = []) {
        version += 1
        for record in put { replace(RecordKey(record), with: record) }
        for key in gone { replace(key, with: nil) }
    }

    /// A new version that says this and nothing else, whichever part it belongs to. Revocations are those of people.
    package mutating func publish(only records: [PublicationRecord]) {
        let ofPeople = records.filter(Self.isOfPeople)
        site = records.filter { !Self.isOfPeople($0) }
        let kept = Set(ofPeople.map { RecordKey($0) })
        publish(ofPeople, gone: people.keys.filter { !kept.contains($0) })
    }

    package mutating func skip(to version: UInt64) { self.version = version }

    private static func isOfPeople(_ record: PublicationRecord) -> Bool {
        switch record {
        case .enrolled, .revocation, .uidOnlyCard, .rule(.membership): true
        case .issuer, .gateCredential, .rule, .ceiling, .message: false
        }
    }

    private mutating func replace(_ key: RecordKey, with record: PublicationRecord?) {
        let before = zoneSums
        if let old = people[key] {
            sum.subtract(old)
            zoneSums.subtract(old, StateElement(old))
        }
        if let record {
            sum.add(record)
            zoneSums.add(record, StateElement(record))
        }
        for zone in zoneSums.zones(unlike: before) { zoneChanged[zone] = version }
        people[key] = record
        changed[key] = version
    }

    // What is published --------------------------------------------------------------------------

    package var state: SignedState {
        SignedState(epoch: epoch, version: version, digest: sum.digest(site: name, counts: Self.counts(Array(people.values))))
    }

    package func siteFile() throws -> [UInt8] {
        let sorted = site.sorted { RecordKey($0) < RecordKey($1) }
        return try bundle(.site, sorted.map { BundleItem.put($0) }, Self.counts(sorted))
    }

    package func full() throws -> [UInt8] {
        let sorted = people.sorted { $0.key < $1.key }.map(\.value)
        return try bundle(.people, sorted.map { BundleItem.put($0) }, Self.counts(sorted))
    }

    package func changes(from: UInt64) throws -> [UInt8] {
        let keys = changed.filter { $0.value > from }.keys.sorted()
        return try bundle(.people, keys.map { key in people[key].map { BundleItem.put($0) } ?? .gone(key) }, Self.counts(Array(people.values)), from: from)
    }

    private static func counts(_ records: [PublicationRecord]) -> PublicationCounts { records.reduce(into: PublicationCounts()) { $0.count($1) } }

    private func bundle(_ part: BundlePart, _ items: [BundleItem], _ counts: PublicationCounts, from: UInt64? = nil) throws -> [UInt8] {
        let header = try BundleHeader(
            part: part, site: name, epoch: epoch, version: part == .site ? 1 : version, counts: counts, digest: part == .people ? state.digest : nil,
            needs: "0.1.0", from: from, zones: from.flatMap { zones(since: $0) })
        var writer = BundleWriter(header)
        var file = writer.head
        for item in items { file += try writer.add(item) }
        try writer.finish()
        return file
    }

    private func zones(since version: UInt64) -> [String: [UInt8]]? {
        let digests = zoneSums.digests(of: Set(zoneChanged.filter { $0.value > version }.keys))
        return forged?(digests) ?? (forged == nil ? digests : nil)
    }
}
