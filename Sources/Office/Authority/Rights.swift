import Credentials
import Encoding
import SiteData
import SiteRules
import Storage

/// What a token or an enrolled key may do, where and when.
public struct Rights: Hashable, Sendable {
    /// The places, as `Place` compares them; empty: the whole site (enrolled keys only).
    public var audiences: [String]
    /// The commands.
    public var scope: [String]
    /// The first second at which it counts, UNIX time; nil: at once.
    public var notBefore: Int64?
    /// The first second at which it counts no more, UNIX time; nil: no end (enrolled keys only).
    public var expiresAt: Int64?

    /// Rights; by default the whole site, the default command, and no limits of time.
    public init(audiences: [String] = [], scope: [String] = [TokenClaims.defaultCommand], notBefore: Int64? = nil,
                expiresAt: Int64? = nil) {
        self.audiences = audiences
        self.scope = scope
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }

    /// The most bytes of places and commands together: with all else that a record of a person has, gates take it.
    static let longest = 16_384

    /// The same with names in the composed form (NFC). Refuses what no gate would understand, before it is signed.
    func checked() throws(AuthorityError) -> Rights {
        var rights = self
        rights.audiences = audiences.map(\.composed)
        rights.scope = scope.map(\.composed)
        guard rights.encodedPlaces.count <= Self.longest else { throw .rightsTooLong }
        try rights.check()
        return rights
    }

    private func check() throws(AuthorityError) {
        for name in audiences + scope { if let flaw = NameRule.flaw(in: name) { throw .forbiddenName(name, flaw) } }
        for audience in audiences where !Place.isAudience(audience) { throw .badAudience(audience) }
        guard !scope.isEmpty else { throw .badCommand("") }
        for command in scope {
            guard TokenClaims.isCommand(command) else { throw .badCommand(command) }
        }
        if let expiresAt { guard notBefore ?? 0 < expiresAt else { throw .badTimes } }
        guard max(notBefore ?? 0, expiresAt ?? 0) <= SitePublication.latestTime else { throw .timesTooLate }
        guard notBefore ?? 0 >= 0 else { throw .badTimes }
    }

    /// As kept in the database: `[[audience], [command]]`.
    var encodedPlaces: [UInt8] {
        CBOR.array([.array(audiences.map(CBOR.text)), .array(scope.map(CBOR.text))]).encoded
    }

    /// Nil if the database is damaged: what is read is held to what is written. Names that may not be are told where they are published.
    init?(encodedPlaces: [UInt8], notBefore: Int64?, expiresAt: Int64?) {
        // Most have these.
        if encodedPlaces == Self.usualPlaces {
            self.init(notBefore: notBefore, expiresAt: expiresAt)
            if isAsWritten { return } else { return nil }
        }
        guard let lists = try? CBOR.decode(encodedPlaces).array, lists.count == 2,
              let audiences = lists[0].array?.compactMap(\.text), let scope = lists[1].array?.compactMap(\.text) else {
            return nil
        }
        self.init(audiences: audiences, scope: scope, notBefore: notBefore, expiresAt: expiresAt)
        // Whatever was left out would make more of the rights.
        guard self.encodedPlaces == encodedPlaces, isAsWritten else { return nil }
    }

    /// Those in three columns of a row, from this one on; nil if the database is damaged.
    init?(row: SQLiteStatement, at column: Int32) {
        guard let places = row.writtenBytes(column), let notBefore = row.writtenTime(column + 1), let expiresAt = row.writtenTime(column + 2) else { return nil }
        self.init(encodedPlaces: places, notBefore: notBefore, expiresAt: expiresAt)
    }

    private static let usualPlaces = Rights().encodedPlaces

    private var isAsWritten: Bool {
        guard (audiences + scope).allSatisfy(\.isComposed) else { return false }
        do throws(AuthorityError) {
            try check()
            return true
        } catch {
            // An older version took some names and times.
            if case .forbiddenName = error { return true }
            return error == .timesTooLate
        }
    }
}

extension SQLiteStatement {
    /// A name of a person or a group; nil if the database is damaged.
    func writtenName(_ column: Int32) -> String? {
        guard let name = writtenText(column), (1...SiteRecord.longestText).contains(name.utf8.count), name.isComposed else { return nil }
        return name
    }
}

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
        let others = audiences.map(\.composed).filter { !Place.covers(ours, $0) }
        return others.map { .otherSite(audience: $0, site: site) } + (expiresAt.flatMap { $0 <= now ? [.over(at: $0)] : nil } ?? [])
    }
}
