import Encoding

/// What a phone gets: all it needs to open gates.
public struct IssuedAccess: Hashable, Sendable {
    /// The token's bytes (a CWT).
    public var token: [UInt8]
    /// The bytes of `gates.phone`.
    public var gates: [UInt8]
    /// Who was invited.
    public var subject: String
    /// The site's name.
    public var site: String
    /// The first second at which the token is valid, UNIX seconds.
    public var notBefore: Int64
    /// The first second at which it is valid no more, UNIX seconds.
    public var expires: Int64
    /// Until when it can be renewed, UNIX seconds.
    public var renewUntil: Int64
    /// Whether the token says that the key is released only after user verification.
    public var userVerified: Bool
    /// What phones show.
    public var words: SiteWords
    /// The UUIDs by which gates are found.
    public var services: [String]

    /// An answer.
    public init(token: [UInt8], gates: [UInt8], subject: String, site: String, notBefore: Int64, expires: Int64, renewUntil: Int64,
                userVerified: Bool, words: SiteWords, services: [String]) {
        (self.token, self.gates, self.subject, self.site) = (token, gates, subject, site)
        (self.notBefore, self.expires, self.renewUntil) = (notBefore, expires, renewUntil)
        (self.userVerified, self.words, self.services) = (userVerified, words, services)
    }

    /// The body of the answer.
    public var json: JSON {
        [
            "token": .string(Base64.encode(token, .url)), "gates": .string(Base64.encode(gates, .url)), "subject": .string(subject),
            "site": .string(site), "notBefore": JSON(notBefore), "expires": JSON(expires), "renewUntil": JSON(renewUntil),
            "userVerified": JSON(userVerified), "languages": words.languagesJSON, "messages": words.messagesJSON,
            "services": .array(services.map(JSON.string))
        ]
    }

    /// Reads the body of an answer; nil if it is none. What is not known is ignored.
    public init?(json: JSON) {
        guard let token = json.bytes("token"), let gates = json.bytes("gates"), let subject = json["subject"]?.string,
              let site = json["site"]?.string, let notBefore = json["notBefore"]?.integer, let expires = json["expires"]?.integer,
              let renewUntil = json["renewUntil"]?.integer, let userVerified = json["userVerified"]?.bool, let words = SiteWords(json),
              let services = json.texts("services") else { return nil }
        self.init(token: token, gates: gates, subject: subject, site: site, notBefore: notBefore, expires: expires, renewUntil: renewUntil,
                  userVerified: userVerified, words: words, services: services)
    }
}
