import Credentials
import Encoding
import TrustSync

/// Rights that are taken, and are hardly what was meant.
public enum RightsWarning: Hashable, Sendable {
    /// A place of another site.
    case otherSite(audience: String, site: String)
    /// They are over already, UNIX seconds.
    case over(at: Int64)
    /// The key or card was somebody else's, who has it no more.
    case moved(from: String)
    /// Somebody else is called nearly like whoever has them.
    case alike(String)

    /// Stable code.
    public var code: String {
        switch self {
        case .otherSite: "audience-of-other-site"
        case .over: "expires-in-past"
        case .moved: "subject-changed"
        case .alike: "name-alike"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .otherSite(let audience, let site): "'\(audience)' is a place of another site than '\(site)', whose gates it does not open."
        case .over(let time): "It is over already, since \(UTCText.make(seconds: time))."
        case .moved(let subject): "It was that of '\(subject)', who has it no more."
        case .alike(let subject): "'\(subject)' is known here, too, and is somebody else: look whom you mean."
        }
    }

    /// `CODE: message`
    public var description: String { "\(code): \(message)" }
}

extension Authority {
    /// What of rights is hardly meant.
    public func warnings(of rights: Rights, now: Int64) -> [RightsWarning] { rights.warnings(site: site, now: now) }
}

extension RightsWarning {
    /// Whether a key or card goes from one to another; nil: it stays, or was nobody's.
    /// - Parameter holder: who has it; nil: nobody.
    public init?(from holder: String?, to subject: String) {
        guard let holder, !holder.utf8.elementsEqual(subject.utf8) else { return nil }
        self = .moved(from: holder)
    }
}

extension Rights {
    func warnings(site: String, now: Int64) -> [RightsWarning] {
        let ours = Place.scheme + site
        let others = audiences.map(\.composed).filter { !Ceiling.covers(ours, $0) }
        return others.map { .otherSite(audience: $0, site: site) } + (expiresAt.flatMap { $0 <= now ? [.over(at: $0)] : nil } ?? [])
    }
}
