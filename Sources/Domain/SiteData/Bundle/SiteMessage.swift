import Encoding

/// A text that the site has people be shown in a language, in the place of the one that comes with the gate (A4).
public struct SiteMessage: Hashable, Sendable {
    /// The language, as RFC 5646 writes it: `de`, `en-GB`. 1 to 35 bytes.
    public let language: String
    /// What the text is for, 1 to 64 bytes.
    public let name: String
    /// The text, 1 to 512 bytes.
    public let text: String

    /// A text; nil if one of the three is empty or too long, or has a character that ends a line or worse.
    public init?(language: String, name: String, text: String) {
        let lengths = [(language, 35), (name, 64), (text, 512)]
        guard lengths.allSatisfy({ (1...$1).contains($0.utf8.count) && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else { return nil }
        self.language = language
        self.name = name
        self.text = text
    }

    init?(fields: [CBOR]) {
        guard fields.count == 4, let language = fields[1].text, let name = fields[2].text, let text = fields[3].text else { return nil }
        self.init(language: language, name: name, text: text)
    }

    var record: CBOR { [14, .text(language), .text(name), .text(text)] }
}
