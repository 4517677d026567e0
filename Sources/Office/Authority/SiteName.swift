import Configuration
import Encoding

/// The rule for names of sites, issuers and groups of gates.
enum SiteName {
    /// In bytes. The site's name travels in the credential of its gates, which some phones bound.
    static let longest = 64

    /// The name as it is kept and published: in the composed form (NFC).
    /// - Throws: `badName`, `forbiddenName`.
    static func checked(_ text: String) throws(AuthorityError) -> String {
        let name = text.composed
        guard (1...longest).contains(name.utf8.count), name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else { throw .badName(name) }
        if let flaw = NameRule.flaw(in: name) { throw .forbiddenName(name, flaw) }
        return name
    }

    /// The same for the site itself, which is a setting of each gate (`site.id`).
    /// - Throws: `noGatesSite` too.
    static func ofSite(_ text: String) throws(AuthorityError) -> String {
        let name = try checked(text)
        guard TextRule.identifier(name, maximum: longest) == nil else { throw .noGatesSite(name) }
        return name
    }
}
