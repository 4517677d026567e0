import Encoding

/// What an invitation gave, without its token and its gates: for whom, how long, and what to show people. Times are UNIX seconds.
public struct AccessTerms: Hashable, Sendable {
    /// The site's name.
    public let site: String
    /// What the site calls the phone's owner.
    public let subject: String
    /// From when on and until when the token is valid.
    public let notBefore: Int64
    public let expires: Int64
    /// Until when the server gives new tokens.
    public let renewUntil: Int64
    /// By what the site's gates are found over Bluetooth: UUIDs in lower case.
    public let services: [String]
    /// The languages of the site, the preferred one first.
    public let languages: [String]
    /// The site's own words by language and reason.
    public let messages: [String: [String: String]]
    /// Whether the token says that the key wants its owner.
    public let userVerified: Bool

    /// Bounds of what is kept.
    static let mostServices = 8, mostLanguages = 16, mostMessages = 64, longestMessage = 500
    /// The year 9999: later seconds have no text.
    static let latestTime: Int64 = 253_402_300_799

    /// Reads them out of a server's answer, or of what was kept. Members that are not known are ignored.
    public init(_ object: JSONObject) throws(InvitedFault) {
        site = try object.name("site")
        subject = try object.name("subject")
        notBefore = try Self.time(object, "notBefore")
        expires = try Self.time(object, "expires")
        renewUntil = try Self.time(object, "renewUntil")
        guard notBefore < expires, expires <= renewUntil else { throw .answer(.malformed("an order of its times")) }
        services = try Self.texts(object, "services", most: Self.mostServices, Self.isService)
        languages = try Self.texts(object, "languages", most: Self.mostLanguages, Self.isLanguage)
        messages = try Self.messages(object)
        guard let userVerified = object["userVerified"]?.bool else { throw .answer(.malformed("userVerified")) }
        self.userVerified = userVerified
    }

    /// What is kept of them.
    public var json: JSONObject {
        ["site": .string(site), "subject": .string(subject), "notBefore": .integer(notBefore), "expires": .integer(expires),
         "renewUntil": .integer(renewUntil), "services": .array(services.map(JSON.string)), "languages": .array(languages.map(JSON.string)),
         "messages": .object(JSONObject(messages.map { language, words in
             (language, JSON.object(JSONObject(words.map { ($0.key, JSON.string($0.value)) })))
         })),
         "userVerified": .bool(userVerified)]
    }

    /// The site's own words by reason in a language, or in that of which it is a kind (`de` for `de-CH`).
    public func words(in language: String?) -> [String: String] {
        guard let language else { return [:] }
        let general = language.split(separator: "-").first.map(String.init) ?? language
        return messages[language] ?? messages[general] ?? [:]
    }

    private static func time(_ object: JSONObject, _ member: String) throws(InvitedFault) -> Int64 {
        guard let time = object[member]?.integer, (0...latestTime).contains(time) else { throw .answer(.malformed(member)) }
        return time
    }

    private static func texts(_ object: JSONObject, _ member: String, most: Int, _ fits: (String) -> Bool) throws(InvitedFault) -> [String] {
        guard let values = object[member]?.array, values.count <= most else { throw .answer(.malformed(member)) }
        let texts = values.compactMap(\.string)
        guard texts.count == values.count, texts.allSatisfy(fits) else { throw .answer(.malformed(member)) }
        return texts
    }

    private static func messages(_ object: JSONObject) throws(InvitedFault) -> [String: [String: String]] {
        guard let given = object["messages"]?.object, given.count <= mostLanguages else { throw .answer(.malformed("messages")) }
        var messages: [String: [String: String]] = [:]
        for language in given {
            guard isLanguage(language.key), let words = language.value.object, words.count <= mostMessages else { throw .answer(.malformed("messages")) }
            var kept: [String: String] = [:]
            for word in words {
                guard isReason(word.key), let text = word.value.string, text.utf8.count <= longestMessage, NameRule.unseen(in: text) == nil else {
                    throw .answer(.malformed("messages"))
                }
                kept[word.key] = text
            }
            messages[language.key] = kept
        }
        return messages
    }

    /// Eight, four, four, four and twelve digits.
    private static func isService(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// As far as BCP 47 matters here.
    private static func isLanguage(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count) && text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
    }

    private static func isReason(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}
