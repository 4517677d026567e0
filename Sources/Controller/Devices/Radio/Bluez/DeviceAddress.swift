/// The address of a Bluetooth device, as it is printed: the most significant octet first.
struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    static let octetCount = 6

    let octets: [UInt8]
    /// Of the device's own choosing, and for a while only (Core Specification 5.3, vol. 6, part B, 1.3.2).
    let isRandom: Bool

    /// Nil unless the text has the form `00:1A:7D:DA:71:13`; case does not matter.
    init?(_ text: String, isRandom: Bool = false) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let octets = parts.compactMap { $0.utf8.count == 2 && $0.first != "+" ? UInt8($0, radix: 16) : nil }
        guard parts.count == Self.octetCount, octets.count == Self.octetCount else { return nil }
        self.octets = octets
        self.isRandom = isRandom
    }

    /// - Parameter octets: the least significant first, as they travel; nil unless there are six.
    init?(travelling octets: some Collection<UInt8>, isRandom: Bool) {
        guard octets.count == Self.octetCount else { return nil }
        self.octets = octets.reversed()
        self.isRandom = isRandom
    }

    var description: String {
        octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }
}
