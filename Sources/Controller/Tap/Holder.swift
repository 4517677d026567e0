import Credentials

/// Whose a credential is, and what verification said about it.
struct Holder: Sendable {
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
