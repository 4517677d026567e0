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
    /// When keys of gates and issuers were made, and when an issuer was dropped, as far as somebody knows.
    public var keyDates: [PublicKey: KeyDates]
    /// Enrolled keys, at least those that the evidence may be about.
    public var enrolled: [KnownEnrolment]
    /// What publications of the site say of whom the evidence is about.
    public var publications: [PublishedWord]
    /// What the authority says of it; nil where nobody asked one.
    public var office: OfficeWord?
    /// Public audit keys of gates.
    public var auditKeys: [PublicKey]
    /// Records that are known to stand below a checkpoint which the holder of one of these keys signed.
    public var covered: [CoveredRecord]
    /// The thumbprint of the key that the person is known to have.
    public var phoneKey: [UInt8]?
    /// The hash of the record as somebody kept it: the phone in its OUTCOME, a print of the journal.
    public var keptHash: [UInt8]?
    /// Now, UNIX seconds; nil where nobody says.
    public var now: Int64?

    /// Whoever believes nothing learns whether the file agrees with itself.
    public init(
        issuers: [PublicKey] = [], gates: [GateListEntry] = [], gateEnds: [PublicKey: Int64] = [:], keyDates: [PublicKey: KeyDates] = [:],
        enrolled: [KnownEnrolment] = [], publications: [PublishedWord] = [], office: OfficeWord? = nil, auditKeys: [PublicKey] = [],
        covered: [CoveredRecord] = [], phoneKey: [UInt8]? = nil, keptHash: [UInt8]? = nil, now: Int64? = nil
    ) {
        self.issuers = issuers
        self.gates = gates
        self.gateEnds = gateEnds
        self.keyDates = keyDates
        self.enrolled = enrolled
        self.publications = publications
        self.office = office
        self.auditKeys = auditKeys
        self.covered = covered
        self.phoneKey = phoneKey
        self.keptHash = keptHash
        self.now = now
    }

    /// The publication that was in force at a time: the newest of those issued by then.
    public func publication(inForceAt seconds: Int64) -> PublishedWord? {
        publications.filter { $0.issuedAt <= seconds }.max { ($0.issuedAt, $0.version) < ($1.issuedAt, $1.version) }
    }
}
