/// The strength of a link at a moment.
struct SignalAnswer: Hashable, Sendable {
    /// What the adapter answers when it does not know (Core Specification 5.3, vol. 4, part E, 7.5.4).
    static let unknown: Int8 = 127

    let address: DeviceAddress
    /// Nil: unknown.
    let dBm: Int8?

    init(address: DeviceAddress, reported: Int8?) {
        self.address = address
        dBm = reported == Self.unknown ? nil : reported
    }
}
