/// One of our radios: the Bluetooth adapter that it is bound to, and what it tells phones (T4).
public struct RadioBinding: Hashable, Sendable {
    /// A scan response has 31 bytes, of which the name's own header takes two (Core Specification 5.3, vol. 3, part C, 11).
    public static let longestLocalName = 29

    /// Our name.
    public let name: String
    /// The adapter's address, `00:1A:7D:DA:71:13`. Nil where the machine has only one that no other radio has taken.
    public let address: String?
    /// What phones look for; lower-case text form.
    public let serviceUUID: String
    /// The one characteristic of the service.
    public let characteristicUUID: String
    /// What phones may show. Cut to what a scan response has room for.
    public let localName: String
    /// The strength of links is wanted: without it the radio serves nobody.
    public let wantsStrength: Bool

    public init(name: String, address: String?, serviceUUID: String, characteristicUUID: String, localName: String,
                wantsStrength: Bool = false) {
        self.name = name
        self.address = address
        self.serviceUUID = serviceUUID
        self.characteristicUUID = characteristicUUID
        self.wantsStrength = wantsStrength
        self.localName = Self.shortened(localName)
    }

    /// Whole characters only.
    private static func shortened(_ name: String) -> String {
        var short = name
        while short.utf8.count > longestLocalName { short.removeLast() }
        return short
    }
}
