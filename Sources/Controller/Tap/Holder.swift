import Credentials

/// Whose a credential is, and what verification said about it.
package struct Holder: Sendable {
    /// What verification said.
    let result: VerificationResult
    /// 32 bytes that name the credential in the journal.
    package let identifier: [UInt8]
    /// Whose it is.
    let subject: String
    /// The groups of that person; none where no rule of the site asks for groups.
    package var groups: [String] = []
    /// The token that verification had nothing against, for the next time that the phone comes.
    var verifiedToken: KnownToken?
    /// What of the token its issuer may not say, where it was refused for that.
    package var excess: IssuerExcess?

    package init(result: VerificationResult, identifier: [UInt8], subject: String, groups: [String] = [],
                 verifiedToken: KnownToken? = nil, excess: IssuerExcess? = nil) {
        self.result = result
        self.identifier = identifier
        self.subject = subject
        self.groups = groups
        self.verifiedToken = verifiedToken
        self.excess = excess
    }
}
