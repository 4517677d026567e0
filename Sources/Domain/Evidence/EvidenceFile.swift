import Credentials
import Cryptography
import Encoding
import PhoneProtocol
import Vocabulary

/// The exported proof of one record of a gate's journal: the record as its hash covers it, and the hash of the record
/// before it. One CBOR item, `["tapstile-evidence", 2, previous, record, hash, outcome]` (docs/evidence.md); version 1 lacks the last.
///
/// Nobody signs the file. What it proves lies in the signatures inside, see `EvidenceVerification`.
public struct EvidenceFile: Hashable, Sendable {
    /// Hash of the record before it in the chain, 32 bytes; all zero before the first.
    public let previous: [UInt8]
    /// The record: deterministic CBOR.
    public let record: [UInt8]
    /// SHA-256(previous || record) as the journal has it, 32 bytes.
    public let hash: [UInt8]
    /// The gate's signature over what became of the exchange; nil in a file of an earlier version, or of a gate without an audit key.
    public let outcome: SignedOutcome?

    private static let mark = "tapstile-evidence"
    /// Versions without and with the gate's signature, by how many items they have.
    private static let itemCounts: [Int64: Int] = [1: 5, 2: 6]
    private static let hashLength = 32
    /// The longest file that is read, in bytes; a journal takes records of 16,384.
    public static let longest = 20_000

    /// A file for a record of a journal.
    public init(previous: [UInt8], record: [UInt8], hash: [UInt8], outcome: SignedOutcome? = nil) {
        self.previous = previous
        self.record = record
        self.hash = hash
        self.outcome = outcome
    }

    /// The file's bytes.
    public var encoded: [UInt8] {
        let signed: [CBOR] = outcome.map { [.bytes($0.raw)] } ?? []
        return CBOR.array([.text(Self.mark), CBOR(Int64(1 + signed.count)), .bytes(previous), .bytes(record), .bytes(hash)] + signed).encoded
    }

    /// Reads a file. Nothing in it is checked but its form.
    public init(parsing bytes: [UInt8]) throws(EvidenceFileError) {
        guard bytes.count <= Self.longest, let items = try? CBOR.decode(bytes).array, items.count >= 2,
              items[0].text == Self.mark, let version = items[1].integer else { throw .malformed }
        guard let itemCount = Self.itemCounts[version] else { throw .versionUnknown }
        guard items.count == itemCount, let previous = items[2].bytes, previous.count == Self.hashLength,
              let record = items[3].bytes, let hash = items[4].bytes, hash.count == Self.hashLength
        else { throw .malformed }
        let signed = items.dropFirst(5).first?.bytes, outcome = signed.flatMap { SignedOutcome(parsing: $0) }
        guard version == 1 || outcome != nil else { throw .malformed }
        self.init(previous: previous, record: record, hash: hash, outcome: outcome)
    }

    /// The hash that follows from the other two.
    public var computedHash: [UInt8] { SHA256.hash(previous + record) }
}

/// Why bytes are no evidence file.
public enum EvidenceFileError: Error, Hashable, Sendable {
    /// They are something else, or damaged.
    case malformed
    /// A newer program wrote them.
    case versionUnknown

    /// Stable code.
    public var code: String {
        switch self {
        case .malformed: "evidence-malformed"
        case .versionUnknown: "evidence-version-unknown"
        }
    }

    /// One English sentence for people.
    public var message: String {
        switch self {
        case .malformed: "The file is not what `tapstile journal export-evidence` writes, or it is damaged."
        case .versionUnknown: "The file was written by a newer program; use that one to check it."
        }
    }
}

/// What whoever keeps a site's keys, publications or decisions is asked about some evidence: whose it is, what would take it
/// back, where and when. It is what the file says, nothing of which is to be believed yet.
public struct EvidenceQuestion: Hashable, Sendable {
    /// The site that the gate's credential names; nil in evidence of the older format.
    public let site: String?
    public let subject: String
    public let lane: String
    /// The time of the record, UNIX seconds.
    public let seconds: Int64
    /// How far the gate's clock was to be believed then.
    public let clock: ClockTrust
    /// The token that was shown; nil for an enrolled key.
    public let token: Token?
    /// The thumbprint of the key that the site data, and no token, say whose it is; nil where there is a token.
    public let enrolledKey: [UInt8]?
    /// Every revocation that would take the credential back.
    public let revocations: [Revocation]

    /// The question about a file; nil if it has no evidence that can be read.
    public init?(about file: EvidenceFile) {
        guard let record = RecordStatement(parsing: file.record), let evidence = TapEvidence(parsing: record.evidence),
              let credential = ShownCredential(of: evidence) else { return nil }
        site = evidence.gate.flatMap { ShownGate($0.credential) }?.site
        subject = record.subject ?? ""
        lane = record.lane ?? ""
        seconds = record.seconds
        clock = record.clock
        token = credential.token
        let thumbprint = credential.key.thumbprint
        enrolledKey = credential.token == nil ? thumbprint : nil
        revocations = credential.token?.revocations ?? [.subject(subject), .key(thumbprint: thumbprint), .suspended(subject)]
    }

    /// Whether a revocation takes the credential back. Names are compared byte by byte.
    public func concerns(_ revocation: Revocation) -> Bool {
        switch revocation {
        case .subject(let subject), .suspended(let subject): EvidenceExamination.same(subject, token?.subject ?? self.subject)
        case .issued(let issuer, let cti): token.map { EvidenceExamination.same($0.issuer, issuer) && $0.identifierClaim == cti } ?? false
        case .issuer(let issuer): token.map { EvidenceExamination.same($0.issuer, issuer) } ?? false
        case .token, .key: revocations.contains(revocation)
        }
    }
}
