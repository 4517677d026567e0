import Cryptography
import Encoding
import TrustSync

/// What keys that are offline shall sign, with everything that says what it changes. It is carried to them as one file.
public struct Draft: Hashable, Sendable {
    /// The site.
    public let site: String
    /// Root or targets.
    public let role: RepositoryRole
    /// The signed part of the new metadata.
    let signed: JSONObject
    /// The role's metadata before it; nil if it is the first.
    let before: JSONObject?
    /// The root that says whose signatures count for targets.
    let root: JSONObject?
    /// The part of the site that targets speak of, and the one before.
    let siteData: [UInt8]?
    let siteDataBefore: [UInt8]?

    /// The longest file: the part of a site twice, in Base64.
    static let longest = 16 << 20
    private static let format: Int64 = 1

    init(site: String, role: RepositoryRole, signed: JSONObject, before: JSONObject?, root: JSONObject? = nil, siteData: [UInt8]? = nil,
         siteDataBefore: [UInt8]? = nil) {
        self.site = site
        self.role = role
        self.signed = signed
        self.before = before
        self.root = root
        self.siteData = siteData
        self.siteDataBefore = siteDataBefore
    }

    /// Reads a draft; nil for anything else. What it says of the site must be what would be signed.
    public init?(parsing bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes), json["tapstile-draft"]?.integer == Self.format, let site = json["site"]?.string,
              let role = json["role"]?.string.flatMap(RepositoryRole.init), role.isOffline, let signed = json["signed"]?.object,
              JSON.object(signed).signedForm != nil, signed["_type"]?.string == role.rawValue else { return nil }
        self.init(site: site, role: role, signed: signed, before: json["before"]?.object, root: json["root"]?.object,
                  siteData: Self.bytes(json["siteData"]), siteDataBefore: Self.bytes(json["siteDataBefore"]))
        guard role == .root || hasItsSiteData else { return nil }
    }

    private static func bytes(_ json: JSON?) -> [UInt8]? { json?.string.flatMap { try? Base64.decode($0) } }

    private var hasItsSiteData: Bool {
        guard root != nil, let siteData, let file = signed["targets"]?[SignedPart.siteData] else { return false }
        return file == SignedPart.File(path: SignedPart.siteData, length: siteData.count, hash: SHA256.hash(siteData)).json
    }

    /// The file.
    public var bytes: [UInt8] {
        var members: [(String, JSON)] = [
            ("tapstile-draft", .integer(Self.format)), ("site", .string(site)), ("role", .string(role.rawValue)), ("signed", .object(signed))
        ]
        if let before { members.append(("before", .object(before))) }
        if let root { members.append(("root", .object(root))) }
        if let siteData { members.append(("siteData", .string(Base64.encode(siteData)))) }
        if let siteDataBefore { members.append(("siteDataBefore", .string(Base64.encode(siteDataBefore)))) }
        return Array(JSON.object(JSONObject(members)).text.utf8)
    }

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
