/// `[gate]`
public struct GateSettings: Hashable, Sendable {
    /// The gate's name towards phones and in the journal; phones take 32 bytes of it. 1–32 letters, digits, `.`, `_`, `-`.
    public var identifier: String
    /// File of the gate's signing key; needed by methods 0 and 2.
    public var signingKey: String?
    /// File of the gate's key agreement key; needed by methods 1 and 3.
    public var agreementKey: String?

    public init(identifier: String, signingKey: String?, agreementKey: String?) {
        self.identifier = identifier
        self.signingKey = signingKey
        self.agreementKey = agreementKey
    }
}
