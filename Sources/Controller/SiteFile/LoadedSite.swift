import Configuration
import Credentials
import SiteData
import SiteRules

/// What a site's file says, checked as a whole.
public struct LoadedSite: Sendable {
    /// What the site decided about time and places.
    public let rules: SiteRules
    /// Who belongs to which group, in order and each once.
    public let memberships: [Membership]
    /// Keys that open by themselves; none in the file of an authority.
    public let people: [EnrolledKey]
    /// UID-only cards that open where lanes take them; none in the file of an authority.
    public let uidOnlyCards: [UIDOnlyCard]
    /// Whose tokens count; none in the file of an authority.
    public let issuers: [TokenIssuer]
    /// What was revoked by the site itself.
    public let revocations: [Revocation]
    /// What people are to be shown.
    public let messages: [SiteMessage]
    /// The most that people may be given by an authority; nil where the file says nothing of it.
    public let ceiling: Ceiling?
    /// The most that tokens of an issuer may say, by its name; in the file of an authority, which has the issuers' keys.
    public let issuerCeilings: [String: IssuerCeiling]
    /// In the order of the text.
    public let warnings: [ConfigurationIssue]

    /// The same as records of a publication, in an order that depends on nothing else.
    public var records: [PublicationRecord] {
        issuers.map(PublicationRecord.issuer) + people.map(PublicationRecord.enrolled) + uidOnlyCards.map(PublicationRecord.uidOnlyCard)
            + revocations.map(PublicationRecord.revocation) + rules.records.map(PublicationRecord.rule) + memberships.map { .rule(.membership($0)) }
            + messages.map(PublicationRecord.message)
    }
}
