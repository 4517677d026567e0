import Credentials
import Cryptography
import Encoding
import SiteRules

/// What tells a record from every other one of its site: bundles are in the order of these, and name by them what is gone.
public struct RecordKey: Hashable, Sendable {
    /// The number of the record's kind.
    public let kind: UInt64
    /// What tells it from others of its kind, compared byte by byte.
    ///
    /// Of an enrolled key the thumbprint; of a revocation its own kind in a byte and the value; of a membership the person's digest and
    /// the group; of a card its number; of an issuer the name; of a gate's credential all of it. Rules have the name of what they speak
    /// of, and rules of access are themselves their key. Time zone and ceiling are there once.
    public let bytes: [UInt8]

    /// The kinds of records that change one by one.
    public enum Kind {
        /// Enrolled keys.
        public static let enrolled = PublicationRecord.Kind.enrolled
        /// Revocations and suspensions.
        public static let revocation = PublicationRecord.Kind.revocation
        /// Memberships.
        public static let membership = PublicationRecord.Kind.membership
        /// UID-only cards.
        public static let uidOnlyCard = PublicationRecord.Kind.uidOnlyCard
    }

    private init(_ kind: UInt64, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    /// The key of a record.
    public init(_ record: PublicationRecord) {
        switch record {
        case .issuer(let issuer): self.init(PublicationRecord.Kind.issuer, Array(issuer.name.utf8))
        case .gateCredential(let raw): self.init(PublicationRecord.Kind.gateCredential, raw)
        case .enrolled(let key): self.init(enrolled: key.key.thumbprint)
        case .revocation(let revocation): self.init(revocation: revocation)
        case .uidOnlyCard(let card): self.init(card: card.number)
        case .rule(let rule): self.init(rule: rule)
        case .ceiling: self.init(PublicationRecord.Kind.ceiling, [])
        case .message(let word): self.init(PublicationRecord.Kind.message, Array(word.language.utf8) + [0] + Array(word.name.utf8))
        }
    }

    /// The key of an enrolled key's record.
    public init(enrolled thumbprint: [UInt8]) { self.init(PublicationRecord.Kind.enrolled, thumbprint) }

    /// The key of a card's record.
    public init(card number: UIDOnlyCardNumber) { self.init(PublicationRecord.Kind.uidOnlyCard, number.bytes) }

    /// The key of a membership's record.
    public init(membership group: String, subject: String) {
        self.init(PublicationRecord.Kind.membership, PersonDigest(subject: subject).bytes + Array(group.utf8))
    }

    /// The key of a revocation's record.
    public init(revocation: Revocation) {
        let (kind, value): (UInt8, [UInt8]) = switch revocation {
        case .token(let identifier): (1, identifier.bytes)
        // Two strings in one value: CBOR keeps them apart.
        case .issued(let issuer, let cti): (2, CBOR.encodeSequence([.text(issuer), .bytes(cti)]))
        case .subject(let subject): (3, Array(subject.utf8))
        case .key(let thumbprint): (4, thumbprint)
        case .suspended(let subject): (5, Array(subject.utf8))
        case .issuer(let issuer): (6, Array(issuer.utf8))
        }
        self.init(PublicationRecord.Kind.revocation, [kind] + value)
    }

    private init(rule: SiteRecord) {
        let name = switch rule {
        case .timeZone: ""
        case .holidays(let calendar): calendar.kind
        case .schedule(let schedule): schedule.name
        case .lanePlan(let plan): plan.lane
        case .zone(let zone): zone.zone
        case .access, .membership: ""
        }
        switch rule {
        case .access: self.init(rule.kind, rule.cbor.encoded)
        case .membership(let membership): self.init(membership: membership.group, subject: membership.subject)
        case .timeZone, .holidays, .schedule, .lanePlan, .zone: self.init(rule.kind, Array(name.utf8))
        }
    }

    /// The key of something that is gone, as it stands in a bundle: of the kinds that change one by one.
    init(goneOf kind: UInt64, _ bytes: [UInt8]) throws(PublicationRecord.Fault) {
        let isSound = switch kind {
        case PublicationRecord.Kind.enrolled: bytes.count == SHA256.length
        case PublicationRecord.Kind.revocation: bytes.count > 1 && (1...6).contains(bytes[0])
        case PublicationRecord.Kind.membership: bytes.count > PersonDigest.length
        case PublicationRecord.Kind.uidOnlyCard: UIDOnlyCardNumber.lengths.contains(bytes.count)
        default: false
        }
        guard isSound else { throw BundlePart.people.kinds.contains(kind) ? .malformed : .unknownKind }
        self.init(kind, bytes)
    }
}

extension RecordKey: Comparable {
    /// By kind, then by bytes, a shorter key before the longer ones that begin with it.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        left.kind == right.kind ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.kind < right.kind
    }
}
