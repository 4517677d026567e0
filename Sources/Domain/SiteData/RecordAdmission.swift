import SiteRules

/// Holds the records of one publication against one another: each name is one and has one role, as each key has, and rules fit together and are few.
package struct RecordAdmission: Sendable {
    private var roles = PublicationRoles()
    /// What was decided so far, and its length.
    private var rules = SiteRules()
    private var rulesLength = 0
    /// What a text of which language was said for.
    private var words: Set<RecordKey> = []

    package init() {}

    /// Takes a record in.
    /// - Parameter length: its bytes.
    package mutating func admit(_ record: PublicationRecord, length: Int) throws(PublicationError) {
        if let (name, flaw) = record.nameFlaw { throw .forbiddenName(name, flaw) }
        try roles.admit(record)
        switch record {
        case .rule(.membership), .issuer, .gateCredential, .enrolled, .revocation, .uidOnlyCard, .ceiling: return
        // Gates keep both in memory.
        case .rule, .message: rulesLength += length
        }
        guard rulesLength <= SitePublication.longestRules else { throw .rulesTooLong }
        do throws(SiteRulesError) { try append(record) } catch { throw .duplicateRule(error) }
    }

    private mutating func append(_ record: PublicationRecord) throws(SiteRulesError) {
        switch record {
        case .rule(let rule): try rules.append(rule)
        case .message(let word):
            guard words.insert(RecordKey(record)).inserted else { throw .duplicate(what: "word in \(word.language)", name: word.name) }
        case .issuer, .gateCredential, .enrolled, .revocation, .uidOnlyCard, .ceiling: break
        }
    }
}
