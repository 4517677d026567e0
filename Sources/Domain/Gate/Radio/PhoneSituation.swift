import Credentials

/// How a phone reaches the gate, and what it says of itself, as it signed it.
public struct PhoneSituation: Hashable, Sendable {
    /// The carrier it came over.
    public let carrier: Carrier
    /// Whether it can do NFC.
    public let canUseNFC: Bool
    /// Whether a person started it in the app, rather than the phone by itself.
    public let isManual: Bool
    /// Whether its app is in front.
    public let isForeground: Bool
    /// Whether its screen is unlocked.
    public let isUnlocked: Bool

    public init(carrier: Carrier, canUseNFC: Bool, isManual: Bool, isForeground: Bool, isUnlocked: Bool) {
        self.carrier = carrier
        self.canUseNFC = canUseNFC
        self.isManual = isManual
        self.isForeground = isForeground
        self.isUnlocked = isUnlocked
    }
}
