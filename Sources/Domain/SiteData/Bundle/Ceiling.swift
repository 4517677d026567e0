import Credentials
import Encoding
import SiteRules

/// The most that the online role may let people do (S5). It is signed offline, and gates hold every person's record against it.
public struct Ceiling: Hashable, Sendable {
    /// The commands that may be given.
    public let commands: [String]
    /// The places for which they may be given, with all that lies below them; empty: the whole site.
    public let audiences: [String]
    /// The groups to which somebody may belong; nil: all.
    public let groups: [String]?
    /// How many seconds after the list of people was issued a right may last; nil: without end.
    public let longest: Int64?
    /// Whether UID-only cards may be listed.
    public let uidOnlyCards: Bool
    /// Whether keys may be called attested as released only after user verification.
    public let userVerification: Bool

    /// What counts where the site says nothing: to pass anywhere, without end, with keys and not with cards.
    public static let standard = Ceiling(
        commands: [TokenClaims.defaultCommand], audiences: [], groups: nil, longest: nil, uidOnlyCards: false, userVerification: true)

    /// A ceiling.
    public init(commands: [String], audiences: [String], groups: [String]?, longest: Int64?, uidOnlyCards: Bool, userVerification: Bool) {
        self.commands = commands
        self.audiences = audiences
        self.groups = groups
        self.longest = longest
        self.uidOnlyCards = uidOnlyCards
        self.userVerification = userVerification
    }

    // Judging ------------------------------------------------------------------------------------

    /// Holds a record of people against the ceiling.
    /// - Parameter issuedAt: when the list of people was issued, UNIX seconds.
    /// - Throws: what of it is too much.
    public func check(_ record: PublicationRecord, issuedAt: Int64) throws(CeilingExcess) {
        switch record {
        case .enrolled(let key):
            for command in key.scope where !commands.contains(where: { $0.utf8.elementsEqual(command.utf8) }) { throw .command(command) }
            try check(audiences: key.audiences)
            try check(end: key.expiresAt, issuedAt: issuedAt)
            if key.userVerification && !userVerification { throw .userVerification }
        case .uidOnlyCard(let card):
            guard uidOnlyCards else { throw .uidOnlyCards }
            guard commands.contains(where: { $0.utf8.elementsEqual(UIDOnlyCard.command.utf8) }) else { throw .command(UIDOnlyCard.command) }
            try check(audiences: card.audiences)
            try check(end: card.expiresAt, issuedAt: issuedAt)
        case .rule(.membership(let membership)):
            guard let groups, !groups.contains(where: { $0.utf8.elementsEqual(membership.group.utf8) }) else { return }
            throw .group(membership.group)
        // To take something back is never too much.
        case .revocation: return
        case .issuer, .gateCredential, .rule, .ceiling, .message: return
        }
    }

    private func check(audiences given: [String]) throws(CeilingExcess) {
        guard !audiences.isEmpty else { return }
        guard !given.isEmpty else { throw .wholeSite }
        for audience in given where !audiences.contains(where: { Place.covers($0, audience) }) { throw .audience(audience) }
    }

    private func check(end: Int64?, issuedAt: Int64) throws(CeilingExcess) {
        guard let longest else { return }
        guard let end else { throw .noEnd }
        let (latest, overflow) = issuedAt.addingReportingOverflow(longest)
        guard overflow || end <= latest else { throw .tooLong }
    }

    // Its record ---------------------------------------------------------------------------------

    /// Reads the record of a ceiling; nil if it is anything else.
    public init?(encoded: [UInt8]) {
        guard let cbor = try? CBOR.decode(encoded), case .ceiling(let ceiling)? = try? PublicationRecord(cbor: cbor) else { return nil }
        self = ceiling
    }

    init?(fields: [CBOR]) {
        guard fields.count == 7, let commands = Self.texts(fields[1]), let audiences = Self.texts(fields[2]),
              let groups = Self.optional(fields[3], Self.texts), let longest = Self.optional(fields[4], \.integer), longest.map({ $0 > 0 }) ?? true,
              let uidOnlyCards = fields[5].bool, let userVerification = fields[6].bool else { return nil }
        self.init(commands: commands, audiences: audiences, groups: groups, longest: longest, uidOnlyCards: uidOnlyCards,
                  userVerification: userVerification)
    }

    var record: CBOR {
        [13, .array(commands.map(CBOR.text)), .array(audiences.map(CBOR.text)), groups.map { .array($0.map(CBOR.text)) } ?? .null,
         longest.map { CBOR($0) } ?? .null, CBOR(uidOnlyCards), CBOR(userVerification)]
    }

    private static func texts(_ item: CBOR) -> [String]? { PublicationRecord.texts(item) }

    /// Null, or a value that must be readable; the outer nil says that it is not.
    static func optional<Value>(_ item: CBOR, _ read: (CBOR) -> Value?) -> Value?? {
        if item.isNull { return .some(nil) }
        return read(item).map { .some($0) }
    }
}

/// What of a person's record is more than the offline role allows.
public enum CeilingExcess: Error, Hashable, Sendable {
    /// A command that may not be given.
    case command(String)
    /// A place outside those for which rights may be given.
    case audience(String)
    /// The whole site, where only parts of it may be given.
    case wholeSite
    /// A group to which nobody may be added.
    case group(String)
    /// A right without an end, where all must have one.
    case noEnd
    /// A right that ends too late.
    case tooLong
    /// A UID-only card, where there are to be none.
    case uidOnlyCards
    /// A key called attested, where none may be.
    case userVerification

    /// What is too much, for the middle of a sentence.
    public var words: String {
        switch self {
        case .command(let command): "the command '\(command)'"
        case .audience(let audience): "the place '\(audience)'"
        case .wholeSite: "the whole site"
        case .group(let group): "the group '\(group)'"
        case .noEnd: "a right without an end"
        case .tooLong: "a right that lasts too long"
        case .uidOnlyCards: "a UID-only card"
        case .userVerification: "a key that is released only after user verification"
        }
    }
}
