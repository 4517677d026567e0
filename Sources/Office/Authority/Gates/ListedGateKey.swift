import Cryptography

/// One key of gates in a list.
public struct ListedGateKey: Hashable, Sendable {
    /// The group of gates that has it.
    public let group: String
    /// Which of the group's keys it is, from 1.
    public let generation: Int
    /// What it does.
    public let use: KeyUse
    /// The public key.
    public let key: PublicKey
    /// The CCS that phones get.
    public let claims: [UInt8]
    /// UNIX seconds.
    public let madeAt: Int64
    /// Whether it was made in an emergency.
    public let isEmergency: Bool
    /// Since when phones are not given it any more, UNIX seconds; nil: they are.
    public let droppedAt: Int64?
}
