/// What must hold in every run.
enum Law: String {
    case grantWithoutProof = "a grant without the phone's proof for that gate, lane, carrier and command"
    case proofCountedTwice = "one proof counted twice"
    case grantOfAnother = "a grant in the name of somebody else"
    case grantToTheUnauthorised = "a grant to somebody who may not pass there"
    case unsignedEvidence = "evidence that the phone did not sign"
    case identityToNoGate = "a phone showed who it is to something that is no gate"
    case identityToAnotherSite = "a phone showed a credential to the gate of another site"
    case identityElsewhere = "a phone showed who it is to a gate on another carrier, or that did not take its own message_1"
    case identityInClear = "who a phone is can be read on the air"
    case outcomeFromNobody = "a phone believed an outcome that its gate did not tell"
    case reusedEphemeral = "an ephemeral key was used twice"
    case telltaleRefusal = "a refusal before proof that is not the uniform one"
}

/// A law that did not hold.
struct Broken: Error {
    let law: Law
}

/// Holds a law.
func hold(_ law: Law, _ condition: Bool) throws {
    if !condition { throw Broken(law: law) }
}

extension [UInt8] {
    /// Whether these bytes lie somewhere in here, one after the other.
    func contains(run other: [UInt8]) -> Bool {
        guard !other.isEmpty, other.count <= count else { return other.isEmpty }
        return (0...(count - other.count)).contains { self[$0] == other[0] && self[$0..<($0 + other.count)].elementsEqual(other) }
    }
}
