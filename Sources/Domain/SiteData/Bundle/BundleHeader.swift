import Encoding

/// The first item of a bundle: what it is, and what state of the site it leads to.
public struct BundleHeader: Hashable, Sendable {
    /// Site or people.
    public let part: BundlePart
    /// The site.
    public let site: String
    /// Versions of people count within an epoch, 1 and up. It is what the offline role says.
    public let epoch: UInt64
    /// Of people: the state that it leads to; of the site's part: its own count. 1 to 2^63 − 1.
    public let version: UInt64
    /// How many records there are at that version, of a bundle of changes too.
    public let counts: PublicationCounts
    /// Of people: the digest of the state at that version (`StateSum`).
    public let digest: [UInt8]?
    /// The oldest version of the gate's program that reads it, for people to read.
    public let needs: String
    /// Of changes: they lead to `version` from this version and from every one between; nil: the bundle is whole.
    public let from: UInt64?
    /// Of changes: for each zone of which anything has changed since `from` what it comes to (`ZoneSum`), for gates that keep some zones only; nil:
    /// they have to take the whole.
    public let zones: [String: [UInt8]]?

    /// The format that this version writes and reads.
    public static let format: UInt64 = 2
    /// The longest `needs` in bytes.
    private static let longestNeeds = 64
    /// Changes to more zones than this say nothing of zones.
    public static let mostZones = 256
    /// The longest name of a zone in bytes.
    private static let longestZone = 64

    /// A header that a reader would take.
    public init(
        part: BundlePart, site: String, epoch: UInt64, version: UInt64, counts: PublicationCounts, digest: [UInt8]? = nil, needs: String,
        from: UInt64? = nil, zones: [String: [UInt8]]? = nil
    ) throws(BundleError) {
        self.part = part
        self.site = site
        self.epoch = epoch
        self.version = version
        self.counts = counts
        self.digest = digest
        self.needs = needs
        self.from = from
        self.zones = zones
        guard isSound else { throw .malformed(offset: 0) }
    }

    private var isSound: Bool {
        let numbers = 1...UInt64(Int64.max)
        guard (1...PublicationRecord.longestText).contains(site.utf8.count), (1...Self.longestNeeds).contains(needs.utf8.count),
              numbers.contains(epoch), numbers.contains(version) else { return false }
        switch part {
        case .site: return digest == nil && from == nil && zones == nil
        case .people: return areZonesSound && digest?.count == StateSum.digestLength && from.map { $0 > 0 && $0 < version } ?? true
        }
    }

    private var areZonesSound: Bool {
        guard let zones else { return true }
        return from != nil && zones.count <= Self.mostZones
            && zones.allSatisfy { $0.key.utf8.count <= Self.longestZone && $0.value.count == StateSum.digestLength }
    }

    /// - Throws: `needsNewer` for another format, whatever else it says.
    init(cbor: CBOR) throws(BundleError) {
        guard let format = cbor[Label.format]?.unsignedInteger, let needs = cbor[Label.needs]?.text else { throw .malformed(offset: 0) }
        guard format == Self.format else { throw .needsNewer(String(needs.prefix(Self.longestNeeds))) }
        guard let part = cbor[Label.part]?.text.flatMap(BundlePart.init), let site = cbor[Label.site]?.text,
              let epoch = cbor[Label.epoch]?.unsignedInteger, let version = cbor[Label.version]?.unsignedInteger,
              let counts = PublicationCounts(list: cbor[Label.counts]), cbor[Label.digest].map({ $0.bytes != nil }) ?? true,
              cbor[Label.from].map({ $0.unsignedInteger != nil }) ?? true, let zones = Self.zones(cbor[Label.zones])
        else { throw .malformed(offset: 0) }
        try self.init(part: part, site: site, epoch: epoch, version: version, counts: counts, digest: cbor[Label.digest]?.bytes,
                      needs: needs, from: cbor[Label.from]?.unsignedInteger, zones: zones)
    }

    /// The outer nil says that it is not readable.
    private static func zones(_ item: CBOR?) -> [String: [UInt8]]?? {
        guard let item else { return .some(nil) }
        guard let map = item.map, map.count <= mostZones else { return nil }
        var zones: [String: [UInt8]] = [:]
        for entry in map.entries {
            guard let zone = entry.key.text, let digest = entry.value.bytes else { return nil }
            zones[zone] = digest
        }
        return .some(zones.count == map.count ? zones : nil)
    }

    /// The header in its one form. A reader passes over labels that it does not know: a version that adds one lets older gates do without.
    var cbor: CBOR {
        var fields: CBORMap = [
            Label.format: .unsigned(Self.format), Label.part: .text(part.rawValue), Label.site: .text(site), Label.epoch: .unsigned(epoch),
            Label.version: .unsigned(version), Label.counts: counts.list, Label.needs: .text(needs)
        ]
        fields[Label.digest] = digest.map { .bytes($0) }
        fields[Label.from] = from.map { .unsigned($0) }
        fields[Label.zones] = zones.map { zones in .map(CBORMap(zones.map { (.text($0.key), .bytes($0.value)) })) }
        return .map(fields)
    }

    private enum Label {
        static let format: CBOR = 1
        static let part: CBOR = 2
        static let site: CBOR = 3
        static let epoch: CBOR = 4
        static let version: CBOR = 5
        static let counts: CBOR = 6
        static let digest: CBOR = 7
        static let needs: CBOR = 8
        static let from: CBOR = 9
        static let zones: CBOR = 10
    }
}

/// The two parts of a site's data in a repository, each signed by a role of its own.
public enum BundlePart: String, Hashable, Sendable {
    /// Issuers with their ceilings, gates, rules, the ceiling of people and words: signed offline, always whole.
    case site
    /// Enrolled keys, UID-only cards, revocations and memberships: signed online, whole or as changes.
    case people

    /// The kinds of records that may stand in it.
    var kinds: Set<UInt64> {
        switch self {
        case .site: Self.siteKinds
        case .people: Self.peopleKinds
        }
    }

    private static let siteKinds: Set<UInt64> = [1, 2, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15]
    private static let peopleKinds: Set<UInt64> = [3, 4, 11, 12]
}
