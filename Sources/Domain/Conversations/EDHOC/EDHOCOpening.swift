/// What message_1 settles.
public struct EDHOCOpening: Hashable, Sendable {
    public let method: EDHOCMethod
    public let suite: CipherSuite
    /// C_I.
    public let connectionIdentifier: [UInt8]
    /// EAD_1, unprotected.
    public let ead: [EADItem]
}
