import Encoding
import SiteRules

/// The rule for names of people and accounts.
enum SubjectName {
    /// A name by which something is revoked: it may be one that nobody gets any more.
    /// - Throws: `badSubject`.
    static func ofAnybody(_ text: String) throws(AuthorityError) -> String {
        let name = text.composed
        guard (1...SiteRecord.longestText).contains(name.utf8.count) else { throw .badSubject }
        return name
    }

    /// The name as it is kept and published: in the composed form (NFC), so that nobody is two people because of how an accent was typed.
    /// - Throws: `badSubject`, `forbiddenName`.
    static func checked(_ text: String) throws(AuthorityError) -> String {
        let name = try ofAnybody(text)
        if let flaw = NameRule.flaw(in: name) { throw .forbiddenName(name, flaw) }
        return name
    }
}
