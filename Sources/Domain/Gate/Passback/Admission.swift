import Credentials

/// What anti-passback says about somebody who wants to pass, and what it knows the grant by.
public struct Admission: Equatable, Sendable {
    /// Whether the person may pass.
    public let judgement: AccessJudgement
    /// The grant that is awaited; 0 where none is.
    public let ticket: UInt64
    /// Who it is, where the lane leads between zones; nil where nobody asks.
    public let person: PersonDigest?

    /// Nothing is against it, and nothing is awaited.
    public static let open = Admission(judgement: .allowed, ticket: 0)

    /// An admission.
    public init(judgement: AccessJudgement, ticket: UInt64 = 0, person: PersonDigest? = nil) {
        self.judgement = judgement
        self.ticket = ticket
        self.person = person
    }
}
