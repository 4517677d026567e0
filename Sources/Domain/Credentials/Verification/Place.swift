import Encoding

/// Where a gate stands: the rule for audiences.
///
/// An audience is `tapstile:` and a path of names: `tapstile:SITE`, `tapstile:SITE/ZONE` or
/// `tapstile:SITE/ZONE/LANE`. It covers everything below it: a token for a site opens every lane of
/// the site. A lane that lies in no zone has `-` in the place of the zone. Names have no `/`.
/// Comparison is byte by byte; audiences of any other form cover nothing here.
public struct Place: Hashable, Sendable {
    /// The site.
    public let site: String
    /// The zone, if the lane lies in one.
    public let zone: String?
    /// The lane.
    public let lane: String
    /// The audiences that cover this place, widest first, made once.
    public let audiences: [String]

    /// The place of a lane.
    public init(site: String, zone: String?, lane: String) {
        self.site = site
        self.zone = zone
        self.lane = lane
        let siteAudience = Self.scheme + site
        let zoneAudience = siteAudience + "/" + (zone ?? "-")
        audiences = [siteAudience, zoneAudience, zoneAudience + "/" + lane]
    }

    /// What every audience of this product begins with.
    public static let scheme = "tapstile:"

    /// Whether a text has the form of an audience that gates compare: site, zone and lane, or the first ones of them.
    public static func isAudience(_ text: String) -> Bool {
        guard text.hasPrefix(scheme), text.utf8.count <= 256 else { return false }
        let names = text.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
        return (1...3).contains(names.count) && names.allSatisfy { !$0.isEmpty && NameRule.allows(String($0)) }
    }

    /// Whether one of these audiences covers this place.
    public func isCovered(by given: [String]) -> Bool {
        given.contains { audience in audiences.contains { $0.hasSameBytes(as: audience) } }
    }
}
