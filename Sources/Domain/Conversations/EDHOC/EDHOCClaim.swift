/// Who the other side says it is, decrypted but not proven.
public struct EDHOCClaim: Hashable, Sendable {
    /// C_R, by which the responder wants to be addressed; empty in message_3.
    public let connectionIdentifier: [UInt8]
    /// ID_CRED_x.
    public let identifier: CredentialIdentifier
    /// EAD_2 or EAD_3. Whoever does not understand a critical item must stop.
    public let ead: [EADItem]
}
