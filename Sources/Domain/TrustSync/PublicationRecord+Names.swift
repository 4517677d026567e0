import Credentials
import Encoding
import SiteRules

extension PublicationRecord {
    /// The first name that is none, and what is wrong with it.
    public var nameFlaw: (name: String, flaw: NameFlaw)? {
        guard let name = forbiddenName else { return nil }
        let flaw = if case .word = self { NameRule.unseen(in: name) } else { NameRule.flaw(in: name) }
        return flaw.map { (name, $0) }
    }

    /// The first of its names that is none (`NameRule`), or the first text with something that nobody would see; nil for a record in order.
    ///
    /// A revocation may name anybody: it lets nobody in, and whoever has a name that is none must not be out of its reach.
    private var forbiddenName: String? {
        switch self {
        case .revocation: nil
        case .enrolled(let key): Self.forbidden(key.subject) ?? Self.first(key.scope) ?? Self.first(key.audiences)
        case .rule(let rule): rule.firstName { !NameRule.allows($0) }
        case .uidOnlyCard(let card): Self.forbidden(card.subject) ?? Self.first(card.audiences)
        case .issuer(let issuer): Self.forbidden(issuer.name)
        case .gateCredential(let raw): GateListEntry(parsing: raw).flatMap(Self.forbidden)
        case .ceiling(let ceiling): Self.first(ceiling.commands) ?? Self.first(ceiling.audiences) ?? Self.first(ceiling.groups ?? [])
        case .word(let word): [word.language, word.name, word.text].first { NameRule.unseen(in: $0) != nil }
        }
    }

    private static func forbidden(_ entry: GateListEntry) -> String? {
        switch entry {
        case .credential(let credential): credential.subject.flatMap(forbidden)
        case .issuer(let issuer): forbidden(issuer.site) ?? forbidden(issuer.name)
        }
    }

    private static func first(_ names: [String]) -> String? { names.first { !NameRule.allows($0) } }

    private static func forbidden(_ name: String) -> String? { NameRule.allows(name) ? nil : name }
}
