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

/// When a key counted, UNIX seconds, as far as somebody knows.
public struct KeyDates: Hashable, Sendable {
    /// When it was made.
    public let from: Int64?
    /// From when on it counted no more.
    public let to: Int64?

    /// Dates.
    public init(from: Int64?, to: Int64? = nil) {
        self.from = from
        self.to = to
    }
}

/// An enrolled key as the authority's folder has it.
public struct KnownEnrolment: Hashable, Sendable {
    /// The key, and what it may.
    public let key: EnrolledKey
    /// Since when it is enrolled like this, UNIX seconds; nil where nobody says.
    public let since: Int64?

    /// An enrolled key.
    public init(_ key: EnrolledKey, since: Int64? = nil) {
        self.key = key
        self.since = since
    }
}

/// A record in a journal that somebody has walked along: a checkpoint stands above it that a gate's audit key signed, and
/// the chain leads from it to there. That is the gate's signature over what the record says.
public struct CoveredRecord: Hashable, Sendable {
    /// The record's hash.
    public let hash: [UInt8]
    /// Whose journal it is, as the checkpoint says.
    public let site: String
    public let gate: String

    /// A record that a checkpoint stands for.
    public init(hash: [UInt8], site: String, gate: String) {
        self.hash = hash
        self.site = site
        self.gate = gate
    }
}
