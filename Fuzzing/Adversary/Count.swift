/// How often what happened.
struct Count {
    var runs = 0
    /// Moves of the adversary.
    var steps = 0
    /// Times that a phone said who it is.
    var statements = 0
    /// Times that a gate believed a proof.
    var proofs = 0
    var grants = 0
    /// Grants on a token that the phone only named.
    var references = 0
    /// Times that a phone believed an outcome.
    var outcomes = 0

    static func += (left: inout Count, right: Count) {
        left.runs += right.runs
        left.steps += right.steps
        left.statements += right.statements
        left.proofs += right.proofs
        left.grants += right.grants
        left.references += right.references
        left.outcomes += right.outcomes
    }

    var line: String {
        "\(runs) runs, \(steps) moves: \(statements) times a phone said who it is, \(proofs) proofs, \(grants) grants (\(references) by reference), \(outcomes) outcomes"
    }
}
