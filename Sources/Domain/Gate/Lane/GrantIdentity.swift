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
