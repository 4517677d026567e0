/// What lets one person through.
public enum GrantCause: Hashable, Sendable {
    /// A credential.
    case credential(GrantIdentity)
    /// The request to exit of the lane.
    case requestToExit
    /// An operator.
    case release(Requester)

    /// The grant to hand back; nil where no credential was shown.
    public var identity: GrantIdentity? {
        switch self {
        case .credential(let identity): identity
        case .requestToExit, .release: nil
        }
    }
}

/// Whose passage a grant lets through. Opaque to the lane, which hands it back when the passage is known.
public struct GrantIdentity: Hashable, Sendable {
    /// The sequence number of the grant's outcome in the journal.
    public let outcome: UInt64
    /// What anti-passback knows the person by; empty where nobody asks.
    public let person: [UInt8]
    /// What anti-passback awaits the passage by; 0 where it does not.
    public let ticket: UInt64

    /// The grant of that outcome to that person.
    public init(outcome: UInt64, person: [UInt8] = [], ticket: UInt64 = 0) {
        self.outcome = outcome
        self.person = person
        self.ticket = ticket
    }
}
