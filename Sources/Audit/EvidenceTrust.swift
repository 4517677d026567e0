import Credentials
import Cryptography

/// What somebody who checks evidence believes from elsewhere. None of it comes from the file.
public struct EvidenceTrust: Hashable, Sendable {
    /// Public keys of token issuers.
    public var issuers: [PublicKey]
    /// What phones were given to know the gates by, also long ago (`gates.phone`).
    public var gates: [GateListEntry]
    /// From when on a gate's key is believed no more, UNIX seconds: it was taken from phones, because it was stolen or
    /// only old.
    public var gateEnds: [PublicKey: Int64]
    /// Enrolled keys, at least those that the evidence may be about.
    public var enrolled: [EnrolledKey]
    /// The thumbprint of the key that the person is known to have.
    public var phoneKey: [UInt8]?
    /// The hash of the record as somebody kept it: the phone in its OUTCOME, a print of the journal.
    public var keptHash: [UInt8]?

    /// Whoever believes nothing learns whether the file agrees with itself.
    public init(
        issuers: [PublicKey] = [], gates: [GateListEntry] = [], gateEnds: [PublicKey: Int64] = [:],
        enrolled: [EnrolledKey] = [], phoneKey: [UInt8]? = nil, keptHash: [UInt8]? = nil
    ) {
        self.issuers = issuers
        self.gates = gates
        self.gateEnds = gateEnds
        self.enrolled = enrolled
        self.phoneKey = phoneKey
        self.keptHash = keptHash
    }

    /// Believes also what somebody else does.
    public mutating func add(_ other: EvidenceTrust) {
        issuers += other.issuers
        gates += other.gates
        gateEnds.merge(other.gateEnds) { min($0, $1) }
        enrolled += other.enrolled
        phoneKey = phoneKey ?? other.phoneKey
        keptHash = keptHash ?? other.keptHash
    }
}
