import Encoding
import SiteData
import SiteRules

/// Something of a person that the office has and does not publish. Nothing of it is lost, and nothing else waits for it, revocations least of all.
public struct HeldBack: Hashable, Sendable {
    /// The person.
    public let subject: String
    /// What it is.
    public let what: String
    /// Why.
    public let reason: Reason

    /// Why something is not published.
    public enum Reason: Hashable, Sendable {
        /// It is more than the site allows.
        case excess(CeilingExcess)
        /// Rules bind the person that targets have not signed: by the old ones the person would pass where the new ones let nobody.
        case unsignedRules
    }

    /// Stable code.
    public var code: String {
        switch reason {
        case .excess: "ceiling-exceeded"
        case .unsignedRules: "rules-unsigned"
        }
    }

    /// One English sentence for people, and what to do.
    public var message: String {
        switch reason {
        case .excess(let excess):
            "\(what) is not published, for that is more than the site allows: \(excess.words). Give less; or have [people] of the rules allow it, and targets sign that."
        case .unsignedRules:
            "\(what) waits for rules that targets have not signed: by the old ones somebody might pass where the new ones let nobody. 'ceremony' or 'draft targets'; or --anyway."
        }
    }

    init(_ record: PublicationRecord, _ reason: Reason) {
        let what = switch record {
        case .enrolled(let key): "A key of '\(key.subject)' (\(Hex.encode(key.key.thumbprint.prefix(8))))"
        case .uidOnlyCard(let card): "The card \(Hex.encode(card.number.bytes)) of '\(card.subject)'"
        case .rule(.membership(let membership)): "That '\(membership.subject)' is in the group '\(membership.group)'"
        case .issuer, .gateCredential, .revocation, .rule, .ceiling, .message: "A record"
        }
        self.init(subject: record.subject, what: what, reason: reason)
    }

    /// Gates are not told yet that somebody has left a group.
    init(leaving membership: Membership) {
        self.init(subject: membership.subject, what: "That '\(membership.subject)' is no more in the group '\(membership.group)'", reason: .unsignedRules)
    }

    private init(subject: String, what: String, reason: Reason) { (self.subject, self.what, self.reason) = (subject, what, reason) }
}
