import Encoding

/// What was seen of one step of a walk test.
struct WalkResult: Equatable, Sendable {
    /// How the step ended.
    enum Verdict: String, Sendable {
        /// As expected.
        case ok
        /// Something else.
        case wrong
        /// The line could not be driven or read; the code says why.
        case failed
        /// Nobody moved the contact in time.
        case unseen = "not-seen"
        /// Somebody went on without it.
        case skipped
    }

    let step: WalkStep
    let verdict: Verdict
    /// What was observed, for people.
    let observed: String
    /// The code of what failed.
    var code: String?

    /// The result as JSON, with its number from 1.
    func json(number: Int) -> JSON {
        var fields: JSONObject = [
            "step": .integer(Int64(number)), "kind": .string(step.word), "name": .string(step.name), "expected": .string(step.expected),
            "observed": .string(observed), "result": .string(verdict.rawValue)]
        if step.isSimulated { fields["simulated"] = true }
        fields["line"] = step.line.map { .string($0) }
        fields["code"] = code.map { .string($0) }
        return .object(fields)
    }
}
