import Configuration
import Storage

/// How old the site data in use are, held against what the installer allows (S2).
package enum SiteDataAge: Equatable, Sendable {
    /// Young enough, or none (which is another matter), or from the site's own file, which does not age.
    case fresh
    /// Older than `trust.warn-after-hours`: a warning.
    case old(hours: Int64)
    /// Older than `trust.refuse-after-days`: no token passes any more.
    case stale(hours: Int64)
    /// Fresh by the timestamp alone: what is signed less often is overdue by so many hours. Whoever has the timestamp's key can hide what is newer.
    case unrenewed(hours: Int64)

    /// - Parameters:
    ///   - issued: when the data were issued, UNIX seconds; that of the publication where nothing newer speaks of them.
    ///   - now: UNIX seconds.
    ///   - renewal: from when on an office would have signed anew what is signed less often than the timestamp, UNIX seconds; nil: nobody knows.
    ///   - served: seconds of service since newer data were verified. The greater age counts: a clock that was put back makes nothing fresh.
    package init(of publication: TrustPublication?, issued: Int64? = nil, now: Int64, renewal: Int64? = nil, served: Int64 = 0, _ rules: TrustSettings) {
        guard let publication, publication.origin != .siteFile else {
            self = .fresh
            return
        }
        let age = max(now - (issued ?? publication.issuedAt), served)
        if age > Int64(rules.refuseAfterDays) * 86400 {
            self = .stale(hours: age / 3600)
        } else if age >= Int64(rules.warnAfterHours) * 3600 {
            self = .old(hours: age / 3600)
        } else if let renewal, now - renewal >= Int64(rules.warnAfterHours) * 3600 {
            self = .unrenewed(hours: (now - renewal) / 3600)
        } else {
            self = .fresh
        }
    }

    /// When tokens begin to be refused if nothing newer is verified before, UNIX seconds: by the clock, or by the hours of service.
    package static func tokensUntil(issued: Int64, now: Int64, served: Int64, _ rules: TrustSettings) -> Int64 {
        let limit = Int64(rules.refuseAfterDays) * 86400
        return min(issued + limit, now + limit - served)
    }

    /// Stable code; nil while there is nothing to say.
    package var code: String? {
        switch self {
        case .fresh: nil
        case .old: "trust-data-old"
        case .stale: "trust-data-stale"
        case .unrenewed: "trust-data-unrenewed"
        }
    }

    private static let remedy = "Bring a fresh publication (tapstile import FOLDER), or see why none comes (tapstile sync --wait)."

    /// A sentence for people that names the remedy.
    package var message: String {
        switch self {
        case .fresh: "The site data are fresh."
        case .old(let hours): "The site data are \(hours) hours old. \(Self.remedy)"
        case .stale(let hours):
            "The site data are \(hours / 24) days old: every token is refused. \(Self.remedy)"
        case .unrenewed(let hours):
            "Timestamps come, but what the office signs every few days is overdue by \(hours) hours: either it has not published, or somebody who has the "
                + "timestamp's key keeps what is newer from this gate. Hold tapstile status against what the office has published."
        }
    }
}

/// Site data that were made without knowledge of those before them: two offices publish for one site, each from a copy of the folder, and take turns at
/// replacing everybody. They are in use all the same, for which of the two is right nobody here can say, and neither's revocations must wait for that.
package struct SiteDataFork: Equatable, Sendable {
    /// The version that was in use.
    package let had: UInt64
    private let version: UInt64

    /// Nil for data that follow on from those before.
    package init?(_ publication: TrustPublication) {
        guard let had = publication.forkedFrom else { return nil }
        (self.had, version) = (had, publication.version)
    }

    /// Stable code.
    package var code: String { "trust-data-forked" }

    /// A sentence for people that names the remedy.
    package var message: String {
        "Version \(version) of the site data was made without knowledge of version \(had), which was in use here: two offices work on copies of one folder, and each "
            + "replaces what the other has said. Stop one of them, then look in the other at who is missing."
    }
}
