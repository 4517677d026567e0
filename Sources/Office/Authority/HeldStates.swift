import Credentials
import SiteData
import SiteRules

/// What was revoked, in memory once for whoever goes through a list.
public struct HeldStates: Sendable {
    private let revocations: Set<Revocation>
    private let now: Int64
    /// What is not published, and waits.
    private let heldBack: Set<PublicationRecord>

    init(_ database: AuthorityDatabase, now: Int64) throws(AuthorityError) {
        var found = Set(try database.siteRevocations())
        try database.forEachRevocation { revocation, _ in found.insert(revocation) }
        revocations = found
        heldBack = Set(try database.heldRecords())
        self.now = now
    }

    /// Of a token.
    public func state(of token: IssuedToken) -> HeldState {
        let own = [Revocation.token(token.identifier), .issued(issuer: token.issuer, cti: token.cti), .key(thumbprint: token.thumbprint),
                   .issuer(token.issuer)]
        return state(of: token.subject, own, from: token.notBefore, to: token.expiresAt)
    }

    /// Of an enrolled key.
    public func state(of key: EnrolledKey) -> HeldState {
        state(of: key.subject, [.key(thumbprint: key.key.thumbprint)], from: key.notBefore, to: key.expiresAt)
    }

    /// Of a UID-only card.
    public func state(of card: UIDOnlyCard) -> HeldState { state(of: card.subject, [], from: card.notBefore, to: card.expiresAt) }

    /// Whether gates do not have it because it is held back: `publish` says why.
    public func isHeldBack(_ key: EnrolledKey) -> Bool { heldBack.contains(.enrolled(key)) }
    /// The same of a card.
    public func isHeldBack(_ card: UIDOnlyCard) -> Bool { heldBack.contains(.uidOnlyCard(card)) }
    /// The same of a membership.
    public func isHeldBack(_ membership: Membership) -> Bool { heldBack.contains(.rule(.membership(membership))) }

    /// Of everything of a person.
    public func state(of subject: String) -> HeldState {
        if revocations.contains(.subject(subject)) { return .banned }
        return revocations.contains(.suspended(subject)) ? .suspended : .valid
    }

    private func state(of subject: String, _ own: [Revocation], from: Int64?, to: Int64?) -> HeldState {
        if own.contains(where: revocations.contains) { return .revoked }
        if let to, to <= now { return .expired }
        let state = state(of: subject)
        if state == .valid, let from, from > now { return .notYetValid }
        return state
    }
}

extension Authority {
    /// What was revoked, and what is over at a time.
    public func heldStates(now: Int64) throws(AuthorityError) -> HeldStates { try HeldStates(database, now: now) }

    /// Everybody who is on a list: of keys, tokens, cards or groups.
    public func people(now: Int64) throws(AuthorityError) -> [ListedPerson] {
        let states = try heldStates(now: now)
        var phones: [String: Set<[UInt8]>] = [:], cards: [String: Int] = [:]
        let counts = { (state: HeldState) in state == .valid || state == .suspended || state == .banned }
        try database.forEachEnrolled { key, _ in
            phones[key.subject, default: []].formUnion(counts(states.state(of: key)) ? [key.key.thumbprint] : [])
        }
        try database.forEachToken { token in
            phones[token.subject, default: []].formUnion(counts(states.state(of: token)) ? [token.thumbprint] : [])
        }
        try database.forEachUIDOnlyCard { card, _ in cards[card.subject, default: 0] += counts(states.state(of: card)) ? 1 : 0 }
        var names = Set(phones.keys).union(cards.keys)
        try database.forEachMembership { names.insert($0.subject) }
        return names.sorted().map { ListedPerson(subject: $0, phones: phones[$0]?.count ?? 0, cards: cards[$0] ?? 0, state: states.state(of: $0)) }
    }
}

/// Somebody who is on a list of the office, with how much there is to come in by.
public struct ListedPerson: Hashable, Sendable {
    /// The person or account.
    public let subject: String
    /// How many keys count now, enrolled or in a token; whatever is against the person.
    public let phones: Int
    /// How many UID-only cards count now.
    public let cards: Int
    /// What is against everything of the person.
    public let state: HeldState
}

/// What becomes of something that a person holds, at a time.
public enum HeldState: String, Hashable, Sendable {
    /// It counts.
    case valid
    /// It does not count yet.
    case notYetValid = "not-yet-valid"
    /// It is over.
    case expired
    /// It was revoked.
    case revoked
    /// Everything of its holder is suspended.
    case suspended
    /// Its holder is banned.
    case banned
}
