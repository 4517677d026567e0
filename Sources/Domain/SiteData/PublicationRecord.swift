import Credentials
import Encoding
import SiteRules

/// One record of a publication's body or of a bundle: an array that begins with the number of its kind.
public enum PublicationRecord: Hashable, Sendable {
    /// `[1, name, COSE_Key]`, and of one with a ceiling
    /// `[15, name, COSE_Key, [command], [audience], schedule / null, longest in seconds, user verification, until / null, off]`. A version that
    /// knows of no ceilings refuses a publication that has one.
    case issuer(TokenIssuer)
    /// `[2, bytes]`: a credential of gates or a gate issuer, as phones get it (`GateListEntry`).
    case gateCredential([UInt8])
    /// `[3, kid, use, curve, x, y / null, subject, [command], [audience], nbf / null, exp / null, ? true]`,
    /// use being 1 to sign and 2 to agree. The last field is there for a key that was attested as released only
    /// after user verification.
    case enrolled(EnrolledKey)
    /// `[4, 1, token identifier]`, `[4, 2, issuer, cti]`, `[4, 3, subject]`, `[4, 4, thumbprint]`, `[4, 5, subject]` (suspended),
    /// `[4, 6, issuer]` (switched off). A version that knows of no suspended people, or of no issuers that are off, refuses a publication that has one.
    case revocation(Revocation)
    /// `[12, uid, subject, [audience], nbf / null, exp / null]`: a UID-only card (V8). A version that knows of none refuses a publication that
    /// has one.
    case uidOnlyCard(UIDOnlyCard)
    /// `[5, …]` to `[11, …]`: what the site decided about time and places, and who belongs to which group. A version that
    /// knows of none refuses a publication that has one.
    case rule(SiteRecord)
    /// `[13, [command], [audience], [group] / null, longest in seconds / null, UID-only cards, user verification]`: the most that people may be
    /// given. In bundles only.
    case ceiling(Ceiling)
    /// `[14, language, name, text]`: what people are shown.
    case message(SiteMessage)

    /// The record in deterministic CBOR.
    public var encoded: [UInt8] {
        switch self {
        case .issuer(let issuer):
            issuer.record.encoded
        case .gateCredential(let raw):
            CBOR.array([2, .bytes(raw)]).encoded
        case .enrolled(let key):
            key.publicationRecord.encoded
        case .revocation(let revocation):
            revocation.publicationRecord.encoded
        case .uidOnlyCard(let card):
            card.publicationRecord.encoded
        case .rule(let rule):
            rule.cbor.encoded
        case .ceiling(let ceiling):
            ceiling.record.encoded
        case .message(let word):
            word.record.encoded
        }
    }

    enum Kind {
        static let issuer: UInt64 = 1
        static let gateCredential: UInt64 = 2
        static let enrolled: UInt64 = 3
        static let revocation: UInt64 = 4
        /// After those of `SiteRecord`.
        static let uidOnlyCard: UInt64 = 12
        static let ceiling: UInt64 = 13
        static let message: UInt64 = 14
        /// A token issuer with a ceiling: the key of its record is that of one without.
        static let boundIssuer: UInt64 = 15
        /// The highest that this version knows.
        static let last = boundIssuer
        /// One of `SiteRecord`'s.
        static let membership = SiteRecord.kinds.upperBound
        /// Whether a publication in one file may have it. Bundles may have all; who signs the one file signs people too, and no ceiling binds him.
        static func isOfPublications(_ kind: UInt64) -> Bool { (1...last).contains(kind) && kind != ceiling }
    }

    /// The number of its kind.
    var kind: UInt64 {
        switch self {
        case .issuer(let issuer): issuer.ceiling == nil ? Kind.issuer : Kind.boundIssuer
        case .gateCredential: Kind.gateCredential
        case .enrolled: Kind.enrolled
        case .revocation: Kind.revocation
        case .uidOnlyCard: Kind.uidOnlyCard
        case .rule(let rule): rule.kind
        case .ceiling: Kind.ceiling
        case .message: Kind.message
        }
    }
}

extension EnrolledKey {
    fileprivate var publicationRecord: CBOR {
        let fields: [CBOR] = [
            3, .bytes(keyIdentifier), use == .sign ? 1 : 2, CBOR(key.curve.rawValue), .bytes(key.x),
            key.y.map(CBOR.bytes) ?? .null, .text(subject), .array(scope.map(CBOR.text)),
            .array(audiences.map(CBOR.text)), notBefore.map { CBOR($0) } ?? .null, expiresAt.map { CBOR($0) } ?? .null
        ]
        return .array(userVerification ? fields + [true] : fields)
    }
}

extension UIDOnlyCard {
    fileprivate var publicationRecord: CBOR {
        [12, .bytes(number.bytes), .text(subject), .array(audiences.map(CBOR.text)), notBefore.map { CBOR($0) } ?? .null,
         expiresAt.map { CBOR($0) } ?? .null]
    }
}

extension Revocation {
    fileprivate var publicationRecord: CBOR {
        switch self {
        case .token(let identifier): [4, 1, .bytes(identifier.bytes)]
        case .issued(let issuer, let cti): [4, 2, .text(issuer), .bytes(cti)]
        case .subject(let subject): [4, 3, .text(subject)]
        case .key(let thumbprint): [4, 4, .bytes(thumbprint)]
        case .suspended(let subject): [4, 5, .text(subject)]
        case .issuer(let issuer): [4, 6, .text(issuer)]
        }
    }
}

extension PublicationRecord {
    /// Reads a record that somebody kept in its encoding; nil if it is none.
    public init?(encoded bytes: [UInt8]) {
        guard let cbor = try? CBOR.decode(bytes), let record = try? PublicationRecord(cbor: cbor) else { return nil }
        self = record
    }
}

extension PublicationRecord {
    /// The first name that is none, and what is wrong with it.
    public var nameFlaw: (name: String, flaw: NameFlaw)? {
        guard let name = forbiddenName else { return nil }
        let flaw = if case .message = self { NameRule.unseen(in: name) } else { NameRule.flaw(in: name) }
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
        case .issuer(let issuer): Self.forbidden(issuer.name) ?? issuer.ceiling.flatMap(Self.forbidden)
        case .gateCredential(let raw): GateListEntry(parsing: raw).flatMap(Self.forbidden)
        case .ceiling(let ceiling): Self.first(ceiling.commands) ?? Self.first(ceiling.audiences) ?? Self.first(ceiling.groups ?? [])
        case .message(let word): [word.language, word.name, word.text].first { NameRule.unseen(in: $0) != nil }
        }
    }

    private static func forbidden(_ entry: GateListEntry) -> String? {
        switch entry {
        case .credential(let credential): credential.subject.flatMap(forbidden)
        case .issuer(let issuer): forbidden(issuer.site) ?? forbidden(issuer.name)
        }
    }

    private static func forbidden(_ ceiling: IssuerCeiling) -> String? {
        first(ceiling.commands) ?? first(ceiling.audiences) ?? ceiling.schedule.flatMap(forbidden)
    }

    private static func first(_ names: [String]) -> String? { names.first { !NameRule.allows($0) } }

    private static func forbidden(_ name: String) -> String? { NameRule.allows(name) ? nil : name }
}
