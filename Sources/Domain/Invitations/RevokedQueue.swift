import Encoding

/// What the server asks the office to take back: tokens of its own issuer, by `cti`, each until it ends by itself.
public struct RevokedQueue: Hashable, Sendable {
    /// One token.
    public struct Entry: Hashable, Sendable {
        /// `cti`, 1 to 64 bytes.
        public var cti: [UInt8]
        /// When the token ends, UNIX seconds.
        public var until: Int64

        /// An entry.
        public init(cti: [UInt8], until: Int64) {
            self.cti = cti
            self.until = until
        }
    }

    /// The site's name.
    public var site: String
    /// The issuer's name; its tokens alone can be meant.
    public var issuer: String
    /// The tokens.
    public var revoked: [Entry]

    /// The most tokens that are written, and that the office takes.
    public static let mostEntries = 10_000
    /// The longest file, in bytes.
    public static let longest = 1 << 20

    /// A queue.
    public init(site: String, issuer: String, revoked: [Entry]) {
        self.site = site
        self.issuer = issuer
        self.revoked = revoked
    }

    /// The file.
    public var json: JSON {
        let entries = revoked.map { entry -> JSON in ["cti": .string(Hex.encode(entry.cti)), "until": JSON(entry.until)] }
        return ["site": .string(site), "issuer": .string(issuer), "revoked": .array(entries)]
    }

    /// Reads a file; nil if it is none or is longer than `longest`. Members that nobody knows are passed over: a newer server may say more.
    public init?(json bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let json = try? JSON.parse(bytes, within: JSONBounds(depth: 8)), let site = json["site"]?.string,
              let issuer = json["issuer"]?.string, let list = json["revoked"]?.array else { return nil }
        self.init(site: site, issuer: issuer, revoked: [])
        for item in list {
            guard let cti = item["cti"]?.string.flatMap({ try? Hex.decode($0) }), (1...64).contains(cti.count), let until = item["until"]?.integer,
                  until >= 0 else { return nil }
            revoked.append(Entry(cti: cti, until: until))
        }
    }
}
