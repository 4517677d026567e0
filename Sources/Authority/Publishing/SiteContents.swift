import Credentials
import Cryptography
import Encoding
import SiteRules
import TrustSync

/// What a site's part of a repository says, for people who sign it.
struct SiteContents {
    let epoch: UInt64
    let lines: [String]

    /// Nil if no gate would take it.
    init?(parsing bytes: [UInt8], site: String) {
        guard let epoch = Self.epoch(in: bytes) else { return nil }
        var reader = BundleReader(expecting: BundleExpectation(site: site, epoch: epoch))
        guard var items = try? reader.feed(bytes), (try? reader.finish()) != nil else { return nil }
        items.sort { $0.key < $1.key }
        self.epoch = epoch
        lines = items.compactMap { item in if case .put(let record) = item { Self.line(record) } else { nil } }
    }

    /// The names of the token issuers in it; none if no gate would take it.
    static func issuers(in bytes: [UInt8], site: String) -> [String] {
        guard let epoch = epoch(in: bytes) else { return [] }
        var reader = BundleReader(expecting: BundleExpectation(site: site, epoch: epoch))
        guard let items = try? reader.feed(bytes) else { return [] }
        return items.compactMap { item in if case .put(.issuer(let issuer)) = item { issuer.name } else { nil } }
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

    private static func line(_ record: PublicationRecord) -> String {
        switch record {
        case .issuer(let issuer): return "token issuer '\(issuer.name)' with the key \(Hex.encode(issuer.key.thumbprint))"
        case .gateCredential(let raw):
            switch GateListEntry(parsing: raw) {
            case .credential(let credential)?: return "gate key \(Hex.encode(credential.key.key.thumbprint))"
            case .issuer(let issuer)?: return "gate issuer '\(issuer.name)' with the key \(Hex.encode(issuer.key.thumbprint))"
            case nil: return "gate credential \(Hex.encode(raw))"
            }
        case .ceiling(let ceiling): return "people may be given at most: \(ceiling.words)"
        case .word(let word): return "word '\(word.name)' (\(word.language)): '\(word.text)'"
        case .revocation: return "revocation \(digest(record))"
        case .rule(let rule): return "\(name(rule)) (\(digest(record)))"
        case .enrolled, .plainCard: return "a person, who does not belong there"
        }
    }
}

extension SiteContents {
    private static func name(_ rule: SiteRecord) -> String {
        switch rule {
        case .timeZone(let zone): "time zone \(zone)"
        case .holidays(let calendar): "holidays '\(calendar.kind)', \(calendar.dates.count) dates"
        case .schedule(let schedule): "schedule '\(schedule.name)'"
        case .lanePlan(let plan): "plan of lane '\(plan.lane)'"
        case .access(let rule): "group '\(rule.group)' may pass"
        case .zone(let zone): "zone '\(zone.zone)'"
        case .membership(let membership): "member of '\(membership.group)'"
        }
    }

    /// Two that differ in anything have others.
    private static func digest(_ record: PublicationRecord) -> String { Hex.encode(SHA256.hash(record.encoded).prefix(4)) }
}

extension Ceiling {
    /// The ceiling in words.
    var words: String {
        let places = audiences.isEmpty ? "the whole site" : audiences.joined(separator: " ")
        let groups = groups.map { $0.isEmpty ? "no groups" : "groups \($0.joined(separator: " "))" } ?? "all groups"
        let end = longest.map { "for \($0 / 86_400) days" } ?? "without end"
        return "\(commands.joined(separator: " ")); \(places); \(groups); \(end); plain cards \(plainCards ? "yes" : "no"); "
            + "user verification \(userVerification ? "yes" : "no")"
    }
}
