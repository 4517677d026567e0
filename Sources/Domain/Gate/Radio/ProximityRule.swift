/// How near a phone must come to one lane before it is listened to (T5).
public struct ProximityRule: Hashable, Sendable {
    /// The lane.
    public let lane: String
    /// The strength that is near, in dBm.
    public let threshold: Int
    /// How far below the threshold a phone that was near may fall before it is far again, in dB: what wavers around the
    /// threshold has one verdict.
    public let hysteresis: Int
    /// How long a phone may take to come near, in milliseconds from the first sight of its link.
    public let window: Int64

    /// The defaults of T5, but for what is given.
    public init(lane: String, threshold: Int = -60, hysteresis: Int = 5, window: Int64 = 300) {
        self.lane = lane
        self.threshold = threshold
        self.hysteresis = max(0, hysteresis)
        self.window = max(0, window)
    }

    /// Whether that strength is near.
    /// - Parameter wasNear: whether the phone was near before.
    func isNear(_ strength: SignalStrength, wasNear: Bool) -> Bool {
        strength.reaches(wasNear ? threshold - hysteresis : threshold)
    }
}
