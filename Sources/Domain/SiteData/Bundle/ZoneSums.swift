import Credentials
import Encoding

/// The sums of a state's zones, each by itself: a gate that keeps some zones only can tell by them that it has all of these, and nothing else.
/// A record that concerns several zones counts in each of them.
public struct ZoneSums: Hashable, Sendable {
    /// More zones than this have no sums of their own: each is 2 KiB that the office goes through with every publication.
    public static let most = 1024

    /// The site.
    public let site: String
    /// The zones that count here, and `ConcernedZones.wholeSite`; nil: all.
    private let zones: Set<String>?
    /// The sums by zone. Of `zones` each one has one.
    public private(set) var sums: [String: ZoneSum]

    /// Those of no records.
    public init(site: String, zones: Set<String>? = nil) {
        self.site = site
        self.zones = zones?.union([ConcernedZones.wholeSite])
        sums = Dictionary(uniqueKeysWithValues: (self.zones ?? [ConcernedZones.wholeSite]).map { ($0, ZoneSum()) })
    }

    /// Those of all zones, as somebody kept them.
    public init(site: String, sums: [String: ZoneSum]) {
        self.init(site: site)
        self.sums.merge(sums) { _, kept in kept }
    }

    /// The zones that count here without what stands for the whole site; nil: all.
    public var keptZones: Set<String>? { zones?.subtracting([ConcernedZones.wholeSite]) }

    /// Whether a record concerns a zone that counts here.
    public func concern(_ record: PublicationRecord) -> Bool { !own(ConcernedZones.of(record, site: site)).isEmpty }

    private func own(_ concerned: Set<String>) -> Set<String> { zones.map { concerned.intersection($0) } ?? concerned }

    /// Counts a record in.
    public mutating func add(_ record: PublicationRecord, _ element: StateElement) {
        for zone in own(ConcernedZones.of(record, site: site)) { sums[zone, default: ZoneSum()].add(record, element) }
    }

    /// Takes a record out that was counted in.
    public mutating func subtract(_ record: PublicationRecord, _ element: StateElement) {
        for zone in own(ConcernedZones.of(record, site: site)) { sums[zone, default: ZoneSum()].subtract(record, element) }
    }

    /// Takes out what was counted in under a key.
    /// - Parameter audiences: those of the record; nil for one of a kind that has none.
    public mutating func subtract(_ key: RecordKey, audiences: [String]?, _ element: StateElement) {
        let concerned = audiences.map { ConcernedZones.of(audiences: $0, site: site) } ?? [ConcernedZones.wholeSite]
        for zone in own(concerned) { sums[zone, default: ZoneSum()].subtract(key, element) }
    }

    /// The zones whose sums differ from those of an older state.
    public func zones(unlike older: ZoneSums) -> Set<String> {
        Set(sums.keys).union(older.sums.keys).filter { sums[$0] ?? ZoneSum() != older.sums[$0] ?? ZoneSum() }
    }

    /// What the header of changes says of some zones.
    public func digests(of zones: Set<String>) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: zones.map { ($0, (sums[$0] ?? ZoneSum()).digest(site: site, zone: $0)) })
    }

    /// Whether these are the zones of the state to which changes lead.
    /// - Parameters:
    ///   - digests: what the header says of zones that have changed.
    ///   - before: the sums before the changes.
    public func agree(with digests: [String: [UInt8]], before: ZoneSums) -> Bool {
        sums.allSatisfy { zone, sum in digests[zone].map { $0 == sum.digest(site: site, zone: zone) } ?? (sum == before.sums[zone]) }
    }

    // As a gate keeps them -----------------------------------------------------------------------

    /// The sums of a gate's own zones.
    public var encoded: [UInt8] {
        var fields = CBORMap()
        for (zone, sum) in sums { fields[.text(zone)] = sum.cbor }
        return CBOR.map(fields).encoded
    }

    /// Reads back what `encoded` wrote; nil if it is anything else.
    public init?(site: String, encoded: [UInt8]) {
        guard let map = try? CBOR.decode(encoded).map else { return nil }
        var sums: [String: ZoneSum] = [:]
        for entry in map.entries {
            guard let zone = entry.key.text, let sum = ZoneSum(cbor: entry.value) else { return nil }
            sums[zone] = sum
        }
        self.init(site: site, zones: Set(sums.keys))
        self.sums.merge(sums) { _, kept in kept }
    }
}

/// The zones of a site that records of people concern: what a gate needs that keeps no more than its own.
public enum ConcernedZones {
    /// Stands for what concerns the whole site, beside the names of zones.
    public static let wholeSite = ""

    /// The zones that a record concerns; none where no gate could ever let anybody in by it.
    ///
    /// Whom a token names is known at the tap and not before, and so what is taken back and who belongs to which group concern the
    /// whole site.
    public static func of(_ record: PublicationRecord, site: String) -> Set<String> {
        switch record {
        case .enrolled(let key): of(audiences: key.audiences, site: site)
        case .uidOnlyCard(let card): of(audiences: card.audiences, site: site)
        case .revocation, .rule, .issuer, .gateCredential, .ceiling, .message: [wholeSite]
        }
    }

    /// The zones in which lie the places that these audiences cover (`Place`). Without any it is the whole site.
    public static func of(audiences: [String], site: String) -> Set<String> {
        guard !audiences.isEmpty else { return [wholeSite] }
        let whole = Array((Place.scheme + site).utf8)
        var zones: Set<String> = []
        for audience in audiences where audience.utf8.starts(with: whole) {
            let rest = audience.utf8.dropFirst(whole.count)
            if rest.isEmpty { return [wholeSite] }
            guard rest.first == UInt8(ascii: "/") else { continue }
            if let zone = name(rest.dropFirst().prefix { $0 != UInt8(ascii: "/") }) { zones.insert(zone) }
        }
        return zones
    }

    /// Gates name their zones in ASCII, so that no other name is that of a gate's zone.
    private static func name(_ bytes: some Collection<UInt8>) -> String? {
        bytes.isEmpty || !bytes.allSatisfy({ (0x21...0x7E).contains($0) }) ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
