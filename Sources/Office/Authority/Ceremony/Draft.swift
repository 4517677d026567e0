import Cryptography
import Encoding
import SiteData

/// What keys that are offline shall sign, with what is in force and who signed that. It is carried to them as one file, by an office that may be
/// owned: nothing of it is believed because it is there.
public struct Draft: Hashable, Sendable {
    /// The site.
    public let site: String
    /// Root or targets.
    public let role: RepositoryRole
    /// The signed part of the new metadata.
    let signed: JSONObject
    /// The file of the role that is in force, with its signatures; nil if this is the first.
    let inForce: JSON?
    /// For targets: the file of the root that says whose signatures count.
    let rootFile: JSON?
    /// The part of the site that targets speak of, and the one that the file in force speaks of.
    let siteData: [UInt8]?
    let siteDataBefore: [UInt8]?

    /// The longest file: the part of a site twice, in Base64.
    static let longest = 16 << 20
    private static let format: Int64 = 2

    init(site: String, role: RepositoryRole, signed: JSONObject, inForce: JSON?, rootFile: JSON? = nil, siteData: [UInt8]? = nil,
         siteDataBefore: [UInt8]? = nil) {
        self.site = site
        self.role = role
        self.signed = signed
        self.inForce = inForce
        self.rootFile = rootFile
        self.siteData = siteData
        self.siteDataBefore = siteDataBefore
    }

    /// Reads a draft; nil for anything else. What it says of the site must be what would be signed, and what is signed now; and nothing may be
    /// signed that is not shown.
    public init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return nil }
        self.init(unfinished: json)
        guard JSON.object(signed).signedForm != nil, signed["_type"]?.string == role.rawValue,
              inForce == nil || before?["_type"]?.string == role.rawValue, role == .root || hasItsSiteData, hasNothingElse else { return nil }
    }

    /// Reads a draft that lacks keys which are still to be made. Nobody signs that.
    init?(unfinished json: JSON) {
        guard json["tapstile-draft"]?.integer == Self.format, let site = json["site"]?.string, let role = json["role"]?.string.flatMap(RepositoryRole.init),
              role.isOffline, NameRule.allows(site), let signed = json["signed"]?.object else { return nil }
        self.init(site: site, role: role, signed: signed, inForce: json["inForce"], rootFile: json["root"],
                  siteData: Self.bytes(json["siteData"]), siteDataBefore: Self.bytes(json["siteDataBefore"]))
    }

    private static func bytes(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { try? Base64.decode($0) } }

    private var hasItsSiteData: Bool {
        guard root != nil, let siteData, Self.speaks(signed, of: siteData), contents != nil else { return false }
        guard let siteDataBefore else { return true }
        return before.map { Self.speaks($0, of: siteDataBefore) } ?? false
    }

    private static func speaks(_ targets: JSONObject, of data: [UInt8]) -> Bool {
        targets["targets"]?[SignedPart.siteData] == SignedPart.File(path: SignedPart.siteData, length: data.count, hash: SHA256.hash(data)).json
    }

    /// The file.
    public var bytes: [UInt8] { Array(json.text.utf8) }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("tapstile-draft", .integer(Self.format)), ("site", .string(site)), ("role", .string(role.rawValue)), ("signed", .object(signed))
        ]
        if let inForce { members.append(("inForce", inForce)) }
        if let rootFile { members.append(("root", rootFile)) }
        if let siteData { members.append(("siteData", .string(Base64.encode(siteData)))) }
        if let siteDataBefore { members.append(("siteDataBefore", .string(Base64.encode(siteDataBefore)))) }
        return .object(JSONObject(members))
    }

    /// What is signed in the file in force.
    var before: JSONObject? { inForce?["signed"]?.object }
    /// What is signed in the root.
    var root: JSONObject? { rootFile?["signed"]?.object }

    /// The version that would be signed.
    public var version: Int64 { signed.version }
    /// The first second at which it would count no more, UNIX time.
    public var expires: Int64 { signed.expires }
    /// What names the draft: the SHA-256 of what is signed.
    public var identifier: [UInt8] { SHA256.hash(MetadataFile.signedForm(signed)) }

    /// Whose signatures it needs: the roles as each of these says. A new root must be signed as the old one demands and as it demands itself.
    var judges: [JSONObject] {
        switch role {
        case .root: [before, signed].compactMap { $0 }
        case .targets, .people, .snapshot, .timestamp: [root].compactMap { $0 }
        }
    }

    /// The identifiers of all keys that may sign it.
    var signers: Set<String> { Set(judges.flatMap { $0.keys(of: role).identifiers }) }
}

/// What is signed is what is shown: all of it follows from what a person reads.
extension Draft {
    /// Whether the signed part says nothing besides keys, thresholds, dates and the site's data: made from these anew, it is the same.
    var hasNothingElse: Bool {
        guard let span, let again = role == .root ? rootAgain(span) : targetsAgain(span) else { return false }
        return areThresholdsSound && JSON.object(again).signedForm == JSON.object(signed).signedForm
    }

    /// Somebody must sign for each role, and enough can.
    private var areThresholdsSound: Bool {
        RepositoryRole.allCases.filter { $0.delegator == role }.allSatisfy { role in
            let (identifiers, threshold) = signed.keys(of: role)
            return threshold >= 1 && threshold <= Set(identifiers).count
        }
    }

    /// What it says of the site; nil if that cannot be shown whole.
    var contents: SiteContents? { siteData.flatMap { SiteContents(parsing: $0, site: site) } }

    /// The same of what is in force.
    var contentsBefore: SiteContents? { siteDataBefore.flatMap { SiteContents(parsing: $0, site: site) } }

    /// This root with these keys besides its own; nil if it is none of ours.
    func adding(_ keys: [RoleKey]) -> Draft? {
        guard role == .root, let span, let signed = rootAgain(span, adding: keys) else { return nil }
        return Draft(site: site, role: role, signed: signed, inForce: inForce)
    }

    /// These targets, as they will count under a root that is signed beside them.
    func under(_ root: JSON) -> Draft {
        Draft(site: site, role: role, signed: signed, inForce: inForce, rootFile: root, siteData: siteData, siteDataBefore: siteDataBefore)
    }

    private var span: SignedPart.Span? {
        guard let issued = signed[SignedPart.issued]?.string.flatMap(UTCText.readSeconds), let expires = signed["expires"]?.string.flatMap(UTCText.readSeconds),
              version >= 1, issued <= expires else { return nil }
        return SignedPart.Span(version: version, issuedAt: issued, validSeconds: expires - issued)
    }

    private func rootAgain(_ span: SignedPart.Span, adding more: [RoleKey] = []) -> JSONObject? {
        var keys: [RoleKey] = [], thresholds: [RepositoryRole: Int] = [:]
        for role in RepositoryRole.allCases where role.delegator == .root {
            guard let own = roleKeys(role) else { return nil }
            keys += own + more.filter { $0.role == role }
            thresholds[role] = signed.keys(of: role).threshold
        }
        return SignedPart.root(span, keys: keys, thresholds: thresholds)
    }

    private func targetsAgain(_ span: SignedPart.Span) -> JSONObject? {
        guard let people = roleKeys(.people), let file = SignedPart.File(SignedPart.siteData, signed["targets"]?[SignedPart.siteData]) else { return nil }
        return SignedPart.targets(span, site: file, people: people, threshold: signed.keys(of: .people).threshold)
    }

    /// Nil if one of them is no key of ours.
    private func roleKeys(_ role: RepositoryRole) -> [RoleKey]? {
        var keys: [RoleKey] = []
        for identifier in signed.keys(of: role).identifiers {
            guard let key = signed.key(identifier, of: role) else { return nil }
            keys.append(RoleKey(role: role, key: key, file: nil, since: 0, until: nil))
        }
        return keys
    }
}
