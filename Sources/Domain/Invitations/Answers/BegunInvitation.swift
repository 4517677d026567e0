import Encoding

/// What a page shows before it makes a key, and what it needs to redeem.
public struct BegunInvitation: Hashable, Sendable {
    /// The site's name.
    public var site: String
    /// Who was invited.
    public var subject: String
    /// To be signed.
    public var nonce: NonceText
    /// The server's clock, UNIX seconds.
    public var time: Int64
    /// Until when access can be renewed, UNIX seconds.
    public var validUntil: Int64
    /// What phones show.
    public var words: SiteWords
    /// The UUIDs by which gates are found.
    public var services: [String]

    /// An answer.
    public init(site: String, subject: String, nonce: NonceText, time: Int64, validUntil: Int64, words: SiteWords, services: [String]) {
        (self.site, self.subject, self.nonce, self.time) = (site, subject, nonce, time)
        (self.validUntil, self.words, self.services) = (validUntil, words, services)
    }

    /// The body of the answer.
    public var json: JSON {
        [
            "site": .string(site), "subject": .string(subject), "nonce": .string(nonce.text), "time": JSON(time), "validUntil": JSON(validUntil),
            "languages": words.languagesJSON, "messages": words.messagesJSON, "services": .array(services.map(JSON.string)),
            "attestation": .string(Base64.encode(nonce.attestationChallenge, .url))
        ]
    }

    /// Reads the body of an answer; nil if it is none. What is not known is ignored.
    public init?(json: JSON) {
        guard let site = json["site"]?.string, let subject = json["subject"]?.string, let nonce = json["nonce"]?.string.flatMap(NonceText.init),
              let time = json["time"]?.integer, let validUntil = json["validUntil"]?.integer, let words = SiteWords(json),
              let services = json.texts("services") else { return nil }
        self.init(site: site, subject: subject, nonce: nonce, time: time, validUntil: validUntil, words: words, services: services)
    }
}
