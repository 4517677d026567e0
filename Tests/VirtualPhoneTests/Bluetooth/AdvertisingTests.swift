import Testing

@testable import VirtualPhone

/// What is heard while gates are searched for, byte by byte.
@Suite struct AdvertisingTests {
    private static let onTouch = GateService.onTouch.uuid

    /// Flags; all services of 128 bits; complete name "north".
    private static let advertisement: [UInt8] = [0x02, 0x01, 0x06, 0x11, 0x07] + onTouch.littleEndian + [0x06, 0x09] + Array("north".utf8)

    @Test func uuidsAreReadAsWritten() {
        let text = "00005301-0010-002a-426c-756549442a00"
        #expect(BluetoothUUID(text) == Self.onTouch)
        #expect(BluetoothUUID(text.uppercased()) == Self.onTouch)
        #expect(Self.onTouch.description == text)
        #expect(GateService.classic.uuid.description == "00005301-0000-002a-426c-756549442a00")
        #expect(BluetoothUUID(short: 0x2800).description == "00002800-0000-1000-8000-00805f9b34fb")
        #expect(BluetoothUUID(littleEndian: [0x00, 0x28]) == BluetoothUUID(short: 0x2800))
        #expect(BluetoothUUID(littleEndian: [0x00, 0x28, 0x00, 0x00])?.short == 0x2800)
        #expect(BluetoothUUID(littleEndian: [0x00, 0x28, 0x01, 0x00])?.short == nil)
        for bad in ["", text + "0", "00005301-0010-002a-426c756549442a00", "0000530100-10-002a-426c-756549442a00", "0000530g-0010-002a-426c-756549442a00"] {
            #expect(BluetoothUUID(bad) == nil, "\(bad)")
        }
        for count in [0, 1, 3, 5, 15, 17] { #expect(BluetoothUUID(littleEndian: [UInt8](repeating: 0, count: count)) == nil) }
    }

    @Test func addressesAreReadAsWritten() {
        let address = BluetoothAddress("00:1a:7D:DA:71:13")
        #expect(address?.description == "00:1A:7D:DA:71:13" && address?.kind == .public)
        #expect(address?.littleEndian == [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00])
        #expect(BluetoothAddress("C0:00:00:00:00:01,random")?.kind == .random)
        for bad in ["", "00:1A:7D:DA:71", "00:1A:7D:DA:71:13:00", "00:1A:7D:DA:7:113", "001A7DDA7113", "00:1A:7D:DA:71:1G", "00:1A:7D:DA:71:13,public"] {
            #expect(BluetoothAddress(bad) == nil, "\(bad)")
        }
    }

    @Test func adaptersHaveANumberOrAnAddress() {
        #expect(AdapterName("1") == .index(1))
        #expect(AdapterName("hci1") == .index(1))
        #expect(AdapterName("00:1A:7D:DA:71:13")?.description == "00:1A:7D:DA:71:13")
        for bad in ["", "hci", "hci-1", "65536", "usb1", "00:1A:7D:DA:71:13,random"] { #expect(AdapterName(bad) == nil, "\(bad)") }
    }

    @Test func servicesAndNameAreRead() {
        let data = AdvertisingData(parsing: Self.advertisement)
        #expect(data.services == [Self.onTouch])
        #expect(data.localName == "north")
    }

    @Test func servicesOfAllLengthsAreRead() {
        let data = AdvertisingData(parsing: [0x05, 0x02, 0x0F, 0x18, 0x0A, 0x18, 0x03, 0x03, 0x0F, 0x18, 0x05, 0x05, 0x78, 0x56, 0x34, 0x12])
        #expect(data.services.map(\.description) == [
            "0000180f-0000-1000-8000-00805f9b34fb", "0000180a-0000-1000-8000-00805f9b34fb", "12345678-0000-1000-8000-00805f9b34fb"
        ])
    }

    @Test func theCompleteNameCountsWhereverItStands() {
        #expect(AdvertisingData(parsing: [0x02, 0x08, 0x61, 0x03, 0x09, 0x61, 0x62]).localName == "ab")
        #expect(AdvertisingData(parsing: [0x03, 0x09, 0x61, 0x62, 0x02, 0x08, 0x61]).localName == "ab")
        #expect(AdvertisingData(parsing: [0x02, 0x08, 0x61]).localName == "a")
        #expect(AdvertisingData(parsing: [0x03, 0x09, 0xC3, 0x28]).localName == "\u{FFFD}(")
    }

    static let broken: [(String, [UInt8])] = [
        ("a length without a structure", [0x02, 0x01, 0x06, 0x11]), ("a structure cut short", [0x11, 0x07, 0x00, 0x2A]),
        ("a structure without a type", [0x01]), ("an end before the services", [0x00, 0x03, 0x03, 0x00, 0x18]),
        ("half a service", [0x02, 0x03, 0x00]), ("nothing", []), ("the longest length", [0xFF])
    ]

    @Test(arguments: broken)
    func whatCannotBeReadIsLeftOut(what: String, bytes: [UInt8]) {
        #expect(AdvertisingData(parsing: bytes).services.isEmpty, "\(what)")
        // What stood before it stays.
        #expect(AdvertisingData(parsing: [0x03, 0x03, 0x0F, 0x18] + bytes).services == [BluetoothUUID(short: 0x180F)], "\(what)")
    }

    /// Device Found: address, type, strength −60, flags, length and the data.
    private static func found(
        last: UInt8 = 0x13, type: UInt8 = 1, strength: UInt8 = 0xC4, _ data: [UInt8]
    ) -> [UInt8] {
        [last, 0x71, 0xDA, 0x7D, 0x1A, 0x00, type, strength, 0x00, 0x00, 0x00, 0x00] + UInt16(data.count).littleEndianBytes + data
    }

    private static func sighted(_ parameters: [UInt8]) throws -> SightedDevice {
        try #require(SightedDevice(parsing: parameters))
    }

    @Test func aSightingHasAddressAndStrength() throws {
        let device = try Self.sighted(Self.found(Self.advertisement))
        #expect(device.address == BluetoothAddress("00:1A:7D:DA:71:13"))
        #expect(device.strength == -60)
        #expect(try Self.sighted(Self.found(strength: 0x7F, [])).strength == nil)
        #expect(try Self.sighted(Self.found(type: 2, [])).address.kind == .random)
        // A device of the older Bluetooth, and a type that is none.
        #expect(SightedDevice(parsing: Self.found(type: 0, [])) == nil)
        #expect(SightedDevice(parsing: Self.found(type: 3, [])) == nil)
        let whole = Self.found(Self.advertisement)
        for count in 0..<whole.count { #expect(SightedDevice(parsing: Array(whole.prefix(count))) == nil) }
    }

    /// The name comes in the scan response, by itself.
    @Test func gatesAreFoundByTheirServiceInWhateverOrderTheySpeak() throws {
        var sightings = Sightings(of: [Self.onTouch])
        sightings.add(try Self.sighted(Self.found(last: 1, [0x03, 0x03, 0x0F, 0x18])))
        sightings.add(try Self.sighted(Self.found(last: 2, [0x03, 0x09, 0x61, 0x62])))
        #expect(sightings.gates.isEmpty)
        sightings.add(try Self.sighted(Self.found(last: 3, Self.advertisement)))
        sightings.add(try Self.sighted(Self.found(last: 2, strength: 0xB5, [0x11, 0x06] + Self.onTouch.littleEndian)))
        #expect(sightings.gates.map(\.localName) == ["ab", "north"])
        #expect(sightings.gates.map(\.strength) == [-75, -60])
        #expect(sightings.gates.allSatisfy { $0.service == Self.onTouch })
    }

    @Test func madeUpAddressesDoNotFillTheMemory() throws {
        var sightings = Sightings(of: [Self.onTouch])
        for number in 0..<2000 {
            var parameters = Self.found(Self.advertisement)
            parameters.replaceSubrange(0..<2, with: UInt16(number).littleEndianBytes)
            sightings.add(try Self.sighted(parameters))
        }
        #expect(sightings.gates.count == Sightings.mostDevices)
        // Those that are known are still heard.
        sightings.add(try Self.sighted([0x00, 0x00] + Self.found(strength: 0xD3, []).dropFirst(2)))
        #expect(sightings.gates.first?.strength == -45)
    }

    // The kernel's management of adapters --------------------------------------------------------

    @Test func commandsAreWrittenAsTheKernelReadsThem() throws {
        #expect(ControllerCommand.readIndexList.encoded(adapter: ControllerCommand.noIndex) == [0x03, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        #expect(ControllerCommand.startDiscovery.encoded(adapter: 1) == [0x23, 0x00, 0x01, 0x00, 0x01, 0x00, 0x06])
        let gate = try #require(BluetoothAddress("00:1A:7D:DA:71:13,random"))
        #expect(ControllerCommand.disconnect(gate).encoded(adapter: 0) == [
            0x14, 0x00, 0x00, 0x00, 0x07, 0x00, 0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00, 0x02
        ])
    }

    @Test func eventsAreRead() {
        // Command Complete of Start Discovery on adapter 1.
        let complete = ControllerEvent(parsing: [0x01, 0x00, 0x01, 0x00, 0x04, 0x00, 0x23, 0x00, 0x00, 0x06])
        #expect(complete?.index == 1 && complete?.content == .ended(command: 0x23, .success, [0x06]))
        // Command Status: permission denied.
        #expect(ControllerEvent(parsing: [0x02, 0x00, 0x01, 0x00, 0x03, 0x00, 0x23, 0x00, 0x14])?.content
            == .ended(command: 0x23, .permissionDenied, []))
        #expect(ControllerEvent(parsing: [0x13, 0x00, 0x01, 0x00, 0x02, 0x00, 0x06, 0x00])?.content == .other(0x13))
        #expect(ControllerEvent(parsing: [0x05, 0x00, 0x01, 0x00, 0x00, 0x00])?.content == .removed)
        let parameters = Self.found(Self.advertisement)
        guard case .sighted? = ControllerEvent(parsing: [0x12, 0x00, 0x00, 0x00] + UInt16(parameters.count).littleEndianBytes + parameters)?.content
        else {
            Issue.record("a sighting is not read")
            return
        }
    }

    /// Too short, with another length than it says, of another sort.
    @Test func brokenEventsAreNone() {
        for bytes in [[], [0x01], [0x13, 0x00, 0x00, 0x00, 0x02, 0x00, 0x06], [0x13, 0x00, 0x00, 0x00, 0x00, 0x00, 0x06]] as [[UInt8]] {
            #expect(ControllerEvent(parsing: bytes) == nil)
        }
        #expect(ControllerEvent(parsing: [0x01, 0x00, 0x00, 0x00, 0x02, 0x00, 0x23, 0x00])?.content == .other(0x01))
        #expect(ControllerEvent(parsing: [0x12, 0x00, 0x00, 0x00, 0x00, 0x00])?.content == .other(0x12))
        #expect(ControllerEvent(parsing: [0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00])?.content == .other(0xFFFF))
    }

    @Test func adaptersAreReadAsTheKernelTells() {
        #expect(Adapter.indices(parsing: [0x02, 0x00, 0x00, 0x00, 0x01, 0x00]) == [0, 1])
        for bad in [[], [0x01], [0x02, 0x00, 0x00, 0x00], [0x01, 0x00, 0x00, 0x00, 0x01]] as [[UInt8]] { #expect(Adapter.indices(parsing: bad).isEmpty) }
        let fixed: [UInt8] = [0x13, 0x71, 0xDA, 0x7D, 0x1A, 0x00, 0x09, 0x02, 0x00, 0xFF, 0xFF, 0x01, 0x00]
        let on = Adapter(index: 1, parsing: fixed + [0x01, 0x02, 0x00, 0x00])
        #expect(on?.isOn == true && on?.address.description == "00:1A:7D:DA:71:13")
        #expect(Adapter(index: 1, parsing: fixed + [0x00, 0x02, 0x00, 0x00])?.isOn == false)
        #expect(Adapter(index: 1, parsing: fixed + [0x01, 0x00, 0x00, 0x00])?.isOn == false)
        #expect(Adapter(index: 1, parsing: fixed) == nil)
    }
}
