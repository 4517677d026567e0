import Conversations
import Credentials

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
        guard let record = RecordStatement(parsing: file.record), let evidence = Evidence(parsing: record.evidence),
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
        case .token, .key: revocations.contains(revocation)
        }
    }
}
