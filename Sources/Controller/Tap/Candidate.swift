import Conversations
import Credentials

/// One credential that the phone's claim may mean: what its proof is checked with, and what
/// verification said about it. The two are independent, so that a phone that proves itself with
/// an expired token is told so, and a stranger is not.
struct Candidate: Sendable {
    /// What the proof is checked with.
    let peer: PeerCredential
    /// What verification said.
    let result: VerificationResult
    /// 32 bytes that name the credential in the journal.
    let identifier: [UInt8]
    /// Whose it is.
    let subject: String
    /// The groups of that person; none where no rule of the site asks for groups.
    var groups: [String] = []
    /// The token that verification had nothing against, for the next time that the phone comes.
    var verifiedToken: KnownToken?
}
