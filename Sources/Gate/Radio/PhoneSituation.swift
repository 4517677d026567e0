import Credentials

/// How a phone reaches the gate, and what it says of itself, as it signed it.
public struct PhoneSituation: Hashable, Sendable {
    /// The carrier it came over.
    public let carrier: Carrier
    /// Whether it can do NFC.
    public let canUseNFC: Bool
    /// Whether its app is in front.
    public let isForeground: Bool
    /// Whether its screen is unlocked.
    public let isUnlocked: Bool

    public init(carrier: Carrier, canUseNFC: Bool, isForeground: Bool, isUnlocked: Bool) {
        self.carrier = carrier
        self.canUseNFC = canUseNFC
        self.isForeground = isForeground
        self.isUnlocked = isUnlocked
    }
}
