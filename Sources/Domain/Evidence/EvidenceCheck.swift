/// One question put to evidence, and the answer.
public struct EvidenceCheck: Hashable, Sendable {
    /// What is asked. The raw value is its stable name; the order is that of a report.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// The record has the hash that the file says.
        case record
        /// It is the record whose hash somebody kept.
        case kept
        /// It tells of a grant after a proof, and has readable evidence.
        case grant
        /// The attempt in it belongs to the same exchange.
        case attempt
        /// Its transcript hash follows from the evidence.
        case transcript
        /// Gate, phone and record agree on lane and carrier.
        case place
        /// The time that the gate told the phone agrees with the record's.
        case time
        /// The phone asked for the command of the record.
        case command
        /// The credential is that of the record.
        case credential
        /// The holder of the credential's key signed.
        case phone
        /// That key is the one the person is known to have.
        case person
        /// Somebody known vouches for the person behind the key.
        case issuer
        /// The token or enrolled key was good for this then and there.
        case rights
        /// Nobody had taken it back.
        case revocation
        /// The gate's key is known.
        case gate
        /// The holder of the gate's key signed.
        case gateSignature = "gate-signature"
        /// The date can be right, by what is known of keys and credentials.
        case dates
        /// The gate signed that it granted.
        case outcome
    }

    public let name: Name
    /// nil: it holds.
    public let fault: EvidenceFault?
    /// One English sentence: what holds, or what does not.
    public let sentence: String

    /// One that holds.
    init(_ name: Name, _ sentence: String) {
        self.name = name
        fault = nil
        self.sentence = sentence
    }

    /// One that does not.
    init(_ name: Name, _ fault: EvidenceFault, _ sentence: String) {
        self.name = name
        self.fault = fault
        self.sentence = sentence
    }

    /// Whether it holds.
    public var holds: Bool { fault == nil }
}
