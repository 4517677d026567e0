import Encoding
import SiteData
import SiteRules

/// What a site's part of a repository says, for people who sign it: all of it, in words.
struct SiteContents {
    let epoch: UInt64
    /// What its header says.
    let header: [String]
    /// The lines of each record, in the order of keys.
    let parts: [(key: RecordKey, lines: [String])]
    let rules: SiteRules
    /// The schedules that issuers are bound to.
    let schedulesOfIssuers: [String]

    /// Nil if no gate would take it for that site, or if there is anything in it that is not shown.
    init?(parsing bytes: [UInt8], site: String) {
        guard let epoch = Self.epoch(in: bytes) else { return nil }
        var reader = BundleReader(expecting: BundleExpectation(site: site, epoch: epoch))
        guard let items = try? reader.feed(bytes), let header = try? reader.finish(), header.site.utf8.elementsEqual(site.utf8),
              Self.isWhole(bytes, header, items) else { return nil }
        var parts: [(key: RecordKey, lines: [String])] = []
        var decided: [SiteRecord] = [], schedulesOfIssuers: [String] = []
        for case .put(let record) in items {
            guard let lines = record.shownLines else { return nil }
            parts.append((RecordKey(record), lines))
            if case .rule(let rule) = record { decided.append(rule) }
            if case .issuer(let issuer) = record, let schedule = issuer.ceiling?.schedule { schedulesOfIssuers.append(schedule) }
        }
        let ceiling = RecordKey(.ceiling(.standard))
        if !parts.contains(where: { $0.key == ceiling }) { parts.append((ceiling, ["\(Ceiling.standard.shownLine) (which counts where nothing is said)"])) }
        guard let rules = try? SiteRules(decided) else { return nil }
        self.epoch = epoch
        self.header = ["people are counted in epoch \(epoch)", "site data no. \(header.version), for programs of gates from version \(ShownText.name(header.needs)) on"]
        self.parts = parts.sorted { $0.key < $1.key }
        self.rules = rules
        self.schedulesOfIssuers = schedulesOfIssuers
    }

    /// Whether what was read makes the same bytes again, so that nothing was passed over.
    private static func isWhole(_ bytes: [UInt8], _ header: BundleHeader, _ items: [BundleItem]) -> Bool {
        var writer = BundleWriter(header)
        var again = writer.head
        for item in items {
            guard let bytes = try? writer.add(item) else { return false }
            again += bytes
        }
        return again == bytes
    }

    /// The names of the token issuers in it; none if no gate would take it.
    static func issuers(in bytes: [UInt8], site: String) -> [String] {
        guard let epoch = epoch(in: bytes) else { return [] }
        var reader = BundleReader(expecting: BundleExpectation(site: site, epoch: epoch))
        guard let items = try? reader.feed(bytes) else { return [] }
        return items.compactMap { item in if case .put(.issuer(let issuer)) = item { issuer.name } else { nil } }
    }

    /// The records in it; nil if no gate would take it.
    static func records(in bytes: [UInt8], site: String) -> [PublicationRecord]? {
        guard let epoch = epoch(in: bytes) else { return nil }
        var reader = BundleReader(expecting: BundleExpectation(site: site, epoch: epoch))
        guard let items = try? reader.feed(bytes), (try? reader.finish()) != nil else { return nil }
        return items.compactMap { item in if case .put(let record) = item { record } else { nil } }
    }

    /// The most that people may be given according to it.
    static func ceiling(in bytes: [UInt8], site: String) -> Ceiling {
        for case .ceiling(let ceiling) in records(in: bytes, site: site) ?? [] { return ceiling }
        return .standard
    }

    /// The epoch that the header names.
    static func epoch(in bytes: [UInt8]) -> UInt64? {
        var reader = CBORReader(bytes)
        return (try? reader.next())?[epochLabel]?.unsignedInteger
    }

    /// The count of a site's part; 0 if it has none.
    static func version(in bytes: [UInt8]) -> Int64 {
        var reader = CBORReader(bytes)
        return (try? reader.next())?[versionLabel]?.integer ?? 0
    }

    /// The site that a bundle names.
    static func site(in bytes: [UInt8]) -> String? {
        var reader = CBORReader(bytes)
        return (try? reader.next())?[siteLabel]?.text
    }

    /// Labels of a bundle's header.
    private static let siteLabel: CBOR = 3
    private static let epochLabel: CBOR = 4
    private static let versionLabel: CBOR = 5
}
