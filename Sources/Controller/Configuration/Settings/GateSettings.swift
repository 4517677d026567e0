/// `[gate]`
public struct GateSettings: Hashable, Sendable {
    /// The gate's name towards phones and in the journal; phones take 32 bytes of it. 1–32 letters, digits, `.`, `_`, `-`.
    public var identifier: String
    /// File of the gate's signing key; needed by methods 0 and 2.
    public var signingKey: String?
    /// File of the gate's key agreement key; needed by methods 1 and 3.
    public var agreementKey: String?
    /// File of the gate token for the signing key, to show it by value.
    public var signingCredential: String?
    /// File of the gate token for the agreement key, to show it by value.
    public var agreementCredential: String?
    /// File of the signing key from `switchAt` on.
    public var nextSigningKey: String?
    /// File of the key agreement key from `switchAt` on.
    public var nextAgreementKey: String?
    /// When the next keys come into force, UNIX seconds.
    public var switchAt: Int64?

    public init(identifier: String, signingKey: String?, agreementKey: String?, signingCredential: String? = nil,
                agreementCredential: String? = nil, nextSigningKey: String? = nil, nextAgreementKey: String? = nil,
                switchAt: Int64? = nil) {
        self.identifier = identifier
        self.signingKey = signingKey
        self.agreementKey = agreementKey
        self.signingCredential = signingCredential
        self.agreementCredential = agreementCredential
        self.nextSigningKey = nextSigningKey
        self.nextAgreementKey = nextAgreementKey
        self.switchAt = switchAt
    }
}
