import Encoding
import SiteRules

/// The rule for names of people and accounts.
enum SubjectName {
    /// The name as it is kept and published.
    /// - Throws: `badSubject`, `forbiddenName`.
    static func checked(_ text: String) throws(AuthorityError) -> String {
        guard (1...SiteRecord.longestText).contains(text.utf8.count) else { throw .badSubject }
        if let flaw = NameRule.flaw(in: text) { throw .forbiddenName(text, flaw) }
        return text
    }
}
