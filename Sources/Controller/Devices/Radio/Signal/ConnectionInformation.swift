/// The kernel's answer to Get Connection Information (doc/mgmt-api.txt of BlueZ, command 0x0031). Bytes from outside.
struct ConnectionInformation: Hashable, Sendable {
    static let command: UInt16 = 0x0031
    private static let commandComplete: UInt16 = 0x0001
    private static let commandStatus: UInt16 = 0x0002
    /// Low Energy, of a public and of a random address.
    private static let publicAddress: UInt8 = 1
    private static let randomAddress: UInt8 = 2

    let adapter: UInt16
    let address: DeviceAddress
    /// Nil where the kernel refused.
    let dBm: Int8?
    /// 0, or why it did.
    let status: UInt8

    /// Nil for any other event, and for what is too short.
    init?(_ packet: some Collection<UInt8>) {
        let octets = Array(packet.prefix(17))
        // Event, adapter, length, command, status, address, its type, strength. A refusal may end after the status: it says
        // of nobody what it refused.
        guard octets.count == 17, Self.number(octets, 0) == Self.commandComplete, Self.number(octets, 6) == Self.command,
              octets[15] == Self.publicAddress || octets[15] == Self.randomAddress,
              let address = DeviceAddress(travelling: octets[9..<15], isRandom: octets[15] == Self.randomAddress)
        else { return nil }
        adapter = Self.number(octets, 2)
        self.address = address
        status = octets[8]
        dBm = octets[8] == 0 ? Int8(bitPattern: octets[16]) : nil
    }

    /// The command for a phone.
    static func request(_ address: DeviceAddress, adapter: UInt16) -> [UInt8] {
        octets(command) + octets(adapter) + octets(7) + address.octets.reversed() + [address.isRandom ? randomAddress : publicAddress]
    }

    /// True for the kernel's word that we may not ask (status 0x14).
    static func isPermissionDenied(_ packet: some Collection<UInt8>) -> Bool {
        let octets = Array(packet.prefix(9))
        return octets.count == 9 && [commandComplete, commandStatus].contains(number(octets, 0))
            && number(octets, 6) == command && octets[8] == 0x14
    }

    private static func number(_ octets: [UInt8], _ at: Int) -> UInt16 { UInt16(octets[at]) | UInt16(octets[at + 1]) << 8 }
    private static func octets(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
