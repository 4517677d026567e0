/// Who the other side says it is, decrypted but not proven.
public struct EDHOCClaim: Hashable, Sendable {
    /// ID_CRED_x.
    public let identifier: CredentialIdentifier
    /// EAD_2 or EAD_3. Whoever does not understand a critical item must stop.
    public let ead: [EADItem]
}
