import Cryptography
import SiteRules

/// Holds the records of one publication against one another: each name and key has one role, and rules fit together and are few.
struct RecordAdmission: Sendable {
    private var roles: PublicationRoles
    /// What was decided so far, and its length.
    private var rules = SiteRules()
    private var rulesLength = 0

    /// - Parameter siteKey: who signed the publication; nil for a bundle.
    init(siteKey: PublicKey?) { roles = PublicationRoles(siteKey: siteKey) }

    /// Takes a record in.
    /// - Parameter length: its bytes.
    mutating func admit(_ record: PublicationRecord, length: Int) throws(PublicationError) {
        try roles.admit(record)
        switch record {
        case .rule(.membership), .issuer, .gateCredential, .enrolled, .revocation, .plainCard, .ceiling: return
        // Gates keep both in memory.
        case .rule, .word: rulesLength += length
        }
        guard rulesLength <= SitePublication.longestRules else { throw .rulesTooLong }
        guard case .rule(let rule) = record else { return }
        do throws(SiteRulesError) { try rules.append(rule) } catch { throw .duplicateRule(error) }
    }
}
