import Encoding

/// What phones show of a site: its languages, and its own words for reasons.
public struct SiteWords: Hashable, Sendable {
    /// Language tags, the site's first choice first.
    public var languages: [String]
    /// Of each language: reason and sentence.
    public var messages: [String: [String: String]]

    /// Words.
    public init(languages: [String] = [], messages: [String: [String: String]] = [:]) {
        self.languages = languages
        self.messages = messages
    }

    var languagesJSON: JSON { .array(languages.map(JSON.string)) }

    var messagesJSON: JSON {
        .object(JSONObject(messages.map { language, words in (language, .object(JSONObject(words.map { ($0.key, .string($0.value)) }))) }))
    }

    /// Nil if the members are not what they should be.
    init?(_ object: JSON) {
        guard let languages = object.texts("languages"), let messages = object["messages"]?.object else { return nil }
        self.init(languages: languages)
        for member in messages {
            guard let words = member.value.object else { return nil }
            for word in words {
                guard let sentence = word.value.string else { return nil }
                self.messages[member.key, default: [:]][word.key] = sentence
            }
        }
    }
}

extension JSON {
    /// A list of strings; nil if the member is anything else.
    func texts(_ name: String) -> [String]? {
        guard let list = self[name]?.array else { return nil }
        let texts = list.compactMap(\.string)
        return texts.count == list.count ? texts : nil
    }

    /// Bytes in base64url; nil if the member is anything else.
    func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap { try? Base64.decode($0, .url) } }
}
