/// What a site decides about the age of its data.
public struct VerificationPolicy: Hashable, Sendable {
    /// Tokens are refused when the site data are older than this many seconds.
    public let tokensRefusedAfter: Int64

    /// A policy; the default refuses tokens after 30 days.
    public init(tokensRefusedAfter: Int64 = 30 * 86400) {
        self.tokensRefusedAfter = tokensRefusedAfter
    }
}
