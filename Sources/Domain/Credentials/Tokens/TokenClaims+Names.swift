import Encoding

extension TokenClaims {
    /// The first claim with a name that is none (`NameRule`), by its label, and what is wrong with it.
    var nameFlaw: (label: Int64, flaw: NameFlaw)? {
        if let flaw = NameRule.flaw(in: issuer) { return (1, flaw) }
        if let flaw = NameRule.flaw(in: subject) { return (2, flaw) }
        for audience in audiences { if let flaw = NameRule.flaw(in: audience) { return (3, flaw) } }
        for command in scope { if let flaw = NameRule.flaw(in: command) { return (9, flaw) } }
        return nil
    }
}
