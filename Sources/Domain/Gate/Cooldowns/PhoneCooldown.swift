/// A phone that was let through and is not served over BLE for a while after it (T7, T9).
public struct PhoneCooldown: Hashable, Sendable {
    /// What it proved itself with.
    public let credential: [UInt8]
    /// Whether it came over BLE, and its app was in background: then its cooldown is that of T9.
    public let isInBackground: Bool

    /// The phone of that credential.
    public init(_ credential: [UInt8], isInBackground: Bool) {
        self.credential = credential
        self.isInBackground = isInBackground
    }
}
