/// What one side shows of itself and proves possession of.
public struct OwnCredential: Sendable {
    /// ID_CRED_x.
    public let identifier: CredentialIdentifier
    /// CRED_x: one encoded CBOR item, byte for byte the same on both sides.
    public let credential: [UInt8]
    public let key: AuthenticationKey

    public init(identifier: CredentialIdentifier, credential: [UInt8], key: AuthenticationKey) {
        self.identifier = identifier
        self.credential = credential
        self.key = key
    }
}
