/// The latest samples of one link. A single one says little: a hand on the phone or a reflection moves it by 10 dB.
struct SignalSamples: Equatable, Sendable {
    /// As many make one value.
    static let count = 3

    private var latest: [SignalStrength] = []

    /// One more sample; what is not known counts as the weakest.
    mutating func add(_ strength: SignalStrength) {
        if latest.count == Self.count { latest.removeFirst() }
        latest.append(strength)
    }

    /// The median of the last three; nil before there are three.
    var smoothed: SignalStrength? {
        latest.count == Self.count ? latest.sorted()[Self.count / 2] : nil
    }
}
